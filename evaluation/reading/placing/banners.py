"""Lines below a banner (`==> b.py <==`), where another command may have printed the last of them.

Prevents a file that was printed below no banner being taken for the one above, whose lines its own
go on by chance.
"""

from __future__ import annotations

from evaluation.reading.lines.outputs import Origin, Run
from generators.lines import CorpusIndex, is_weighty


def decided_below(run: Run, path: str, origin: Origin | None, index: CorpusIndex) -> int:
    """Where the lines end that are surely of the file which the banner above a run names.

    The first of them is, if it has weight; and what stands before a line that no other place can
    have given. Blank and short lines alone are looked at with their neighbours.
    """
    doubted = False
    for position in range(run.stop - 1, run.start - 1, -1):
        text = run.text(position)
        if not is_weighty(text):
            continue
        if not _is_elsewhere(text, path, origin, index):
            return position + 1 if doubted else run.stop
        if position == run.start:
            return run.start + 1
        doubted = True
    return run.start if doubted else run.stop


def _is_elsewhere(text: str, path: str, origin: Origin | None, index: CorpusIndex) -> bool:
    """Whether a line may have been printed from another place than one in this file."""
    places = index.places[text]
    if len(places) == 1:
        return False
    if origin is None or len(index.lines_in(path, text)) > 1:
        return True
    return any(one.path != path and origin.may_show(one.path) for one in places)
