"""Files that lists and tables say were read: "Files reviewed:" over names, a column "Reviewed?".

Prevents a file being taken for read because it stands in a list of findings, of what is left to do,
or with a cross beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evaluation.judging.rules.assertion import Assertion, Strength
from evaluation.judging.rules.doubts import is_firm
from evaluation.judging.rules.thing import Thing, Wording
from evaluation.judging.rules.things import things_at
from evaluation.judging.rules.words import Word

LONGEST_QUOTE = 240
"""Characters from a list's heading to the entry, up to which both are quoted together."""

_HEAD = frozenset((
    "FULLY", "PARTLY", "DET", "RANGE", "NUM", "OF", "SLASH", "OPEN", "CLOSE", "COLON", "ME", "HAVE",
    "ADV", "PLAIN", "YES", "COMMA", "WAS", "BEEN", "SIGN", "EVERY", "LEAD", "ASK",
))  # fmt: skip
_TAKES_BACK = frozenset((
    "NOT", "NO", "ONLY", "SKIPPED", "PARTLY", "GLANCE", "EXCEPT", "NOPE", "HALF", "NOTHING",
    "NOFACT", "LATER", "TOOL", "FIRST",
))  # fmt: skip
_GOES_ON = frozenset(("W", "READ", "WEAK", "WAS", "HAVE"))
"""Behind a file's name these make a sentence of the entry."""
_BESIDE_NAME = frozenset(("NAME", "SIGN", "NUM", "OPEN", "CLOSE", "LINE", "YES"))
_STATUS = frozenset(("status", "state", "coverage", "result", "note", "notes"))


class Head(NamedTuple):
    """What a heading, a lead-in or the head of a column says of what stands under it."""

    strength: Strength
    fully: bool
    firm: bool = True
    """Of reading, not of "inspecting" or the like, which programs do too."""


def head_of(things: Wording) -> Head | None:
    """What these words say of a list, if they say that it is one of files that were read."""
    words = [word for word in things.words if word.tag != "PIPE"]
    verbs = [word for word in words if word.tag in ("READ", "GLANCE")]
    rest = (w for w in words if w.tag not in (*_HEAD, "READ", "GLANCE"))
    if len(verbs) != 1 or not all(things.calling.is_file(word.text) for word in rest):
        return None
    tags = {word.tag for word in words}
    strength: Strength = "read" if verbs[0].tag == "READ" and "PARTLY" not in tags else "glance"
    return Head(strength, "FULLY" in tags, is_firm(verbs) or "FULLY" in tags)


def listed(head: Head, start: int, entry: Wording) -> Iterator[Assertion]:
    """What an entry of a list of files that were read adds to them. `start`: of the list's head."""
    i = entry.past(0, "YES", "SIGN", "PIPE")
    found = things_at(entry, i)
    if not found or any(thing.kind != "file" or thing.partial for thing in found):
        return
    takes_back = bool({word.tag for word in entry.words} & _TAKES_BACK)
    if takes_back or entry.tag(found[-1].last) in _GOES_ON:
        return
    first, end = entry.words[i].start, entry.words[found[-1].last - 1].end
    quoted = start if end - start <= LONGEST_QUOTE else first
    for thing in found:
        fully = head.fully or thing.whole
        yield Assertion(
            thing, head.strength, quoted, end, fully=fully, doubtful=not (head.firm or fully)
        )


def row(header: Wording, entry: Wording) -> Assertion | None:
    """What a row of a table says: its file, and a cell that says that it was read."""
    cells, heads = cells_of(entry.words), cells_of(header.words)
    named = next((k for k, cell in enumerate(cells) if _is_name(cell)), None)
    if named is None or len(heads) != len(cells):
        return None
    inside = [word for cell in cells for word in cell]
    file = next(word for word in cells[named] if word.tag == "NAME")
    for k, cell in enumerate(cells):
        said = _said(replace(header, words=heads[k]), cell) if k != named else None
        if said is not None:
            thing = Thing("file", 0, 1, file.paths[0])
            start, end = inside[0].start, inside[-1].end
            unsure = not said.firm
            return Assertion(thing, said.strength, start, end, fully=said.fully, doubtful=unsure)
    return None


def _said(column: Wording, cell: Sequence[Word]) -> Head | None:
    """What a cell says of reading, under the head of its column."""
    head = head_of(column)
    tags = {word.tag for word in cell} - {"SIGN"}
    if head is not None and tags and tags <= {"YES", "FULLY", "WHOLE", "COMMA"}:
        fully = head.fully or bool(tags & {"FULLY", "WHOLE"})
        return Head(head.strength, fully, head.firm or fully)
    words = column.words
    status = bool(words) and all(w.text in _STATUS or w.tag == "READBASE" for w in words)
    if (status or head) and "READ" in tags and tags <= {"READ", "FULLY", "YES", "COMMA"}:
        fully = "FULLY" in tags or (head is not None and head.fully)
        return Head("read", fully, fully or is_firm(cell) or (head is not None and head.firm))
    return None


def _is_name(cell: Sequence[Word]) -> bool:
    names = [word for word in cell if word.tag == "NAME"]
    alone = all(word.tag in _BESIDE_NAME for word in cell)
    return alone and len(names) == 1 and len(names[0].paths) == 1


def cells_of(words: Sequence[Word]) -> tuple[tuple[Word, ...], ...]:
    """The cells of a row, without what stands outside its outer bars."""
    cells: list[list[Word]] = [[]]
    for word in words:
        if word.tag == "PIPE":
            cells.append([])
        else:
            cells[-1].append(word)
    inner = cells[0 if cells[0] else 1 :]
    return tuple(map(tuple, inner if inner and inner[-1] else inner[:-1]))
