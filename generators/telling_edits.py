"""What is planted may not tell on itself: no character that does not show, and no word of ours.

Prevents a needle that any search for odd bytes finds, and an agent that reads what it is in.
"""

from __future__ import annotations

from authoring.errors import Place, UserError
from authoring.inert import controls
from authoring.own_words import own_words
from generators.planting import Planted
from generators.registry import Edit


def refuse_telling(name: str, planted: Planted) -> None:
    """Raises UserError where the edits of a needle bring in what their clean lines do not hold."""
    for edit in planted.edits:
        fault = _fault(edit)
        if fault:
            raise UserError(
                f"needle {name}: what it plants {fault}",
                place=Place(edit.path, edit.first, 1),
                remedy="mend the parameters of its planter",
            )


def _fault(edit: Edit) -> str:
    before = "\n".join(edit.clean)
    # In a file of CR LF every line ends in a CR.
    after = "\n".join(line.removesuffix("\r") for line in edit.planted)
    characters = sorted(set(controls(after)) - set(before))
    if characters:
        return f"holds {characters[0]!a}, a character that does not show"
    words = [word for word in own_words(after) if word not in own_words(before)]
    return f"holds {words[0]!r}, a word that no agent may see" if words else ""
