"""What the tables and check lists of a response tell of each file: read, in part, not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from evaluation.judging.rules.listings import cells_of, head_of
from evaluation.judging.rules.polarity import Polarity, end_mark_of, mark_of, polarity_of
from evaluation.judging.rules.thing import Thing, Wording
from evaluation.judging.rules.things import things_at
from evaluation.judging.rules.words import Word

_PROGRESS = frozenset((
    "status", "state", "coverage", "done", "progress", "met", "complete", "completed", "finished",
    "covered", "depth", "share", "extent",
))  # fmt: skip
_TOTALS = frozenset(("of", "total", "lines", "length", "size", "loc"))
_VERBS = frozenset(("READ", "READBASE", "GLANCE", "WEAK"))
_BESIDE = frozenset((
    "READ", "READBASE", "GLANCE", "FULLY", "YES", "NOPE", "NOT", "SIGN", "DASH", "COLON", "OPEN",
    "CLOSE", "LINE", "NUM", "FIRST", "ADV", "DONE", "PARTLY", "PLAIN", "WAS", "COMMA", "AND", "DET",
    "WEAK", "ONLY", "EVERY", "TO",
))  # fmt: skip
_TAKES_BACK = frozenset((
    "NOT", "NO", "ONLY", "SKIPPED", "PARTLY", "GLANCE", "EXCEPT", "NOPE", "HALF", "LATER", "NOFACT",
))  # fmt: skip
_READING_HEADS = frozenset((
    "files", "file", "documents", "progress", "checklist", "coverage", "scope", "status", "reading",
    "review", "state", "tasks", "task", "todo", "plan", "steps",
))  # fmt: skip


class Marked(NamedTuple):
    """Files, and what a row or an entry tells of their reading; offsets into the response."""

    paths: tuple[str, ...]
    polarity: Polarity
    start: int
    end: int


@dataclass(frozen=True)
class Entry:
    """A row of a table or an entry of a list."""

    block: int
    words: Wording
    raw: str


def of_table(header: Wording, rows: Sequence[Entry]) -> Iterator[Marked]:
    """What a table tells, if one of its columns is of reading."""
    heads = cells_of(header.words)
    table = [(row, cells_of(row.words.words)) for row in rows]
    table = [(row, cells) for row, cells in table if len(cells) == len(heads)]
    heads = tuple(
        () if _is_of_tests(head, [cells[k] for _, cells in table]) else head
        for k, head in enumerate(heads)
    )
    for row, cells in table:
        things = _things(row.words, cells)
        if things is None:
            continue
        column, found = things
        said = _said(header, heads, cells, column)
        if said is not None:
            yield Marked(found, said, cells_start(cells), row.words.words[-1].end)


def _is_of_tests(head: Sequence[Word], column: Sequence[Sequence[Word]]) -> bool:
    """Whether "Coverage" is that of tests: shares between nothing and all tell it."""
    if {word.text for word in head} != {"coverage"}:
        return False
    shares = (cell for cell in column if [word.tag for word in cell[:2]] == ["NUM", "PCT"])
    return any(0 < (cell[0].value or 0) < 100 for cell in shares)


def cells_start(cells: Sequence[Sequence[Word]]) -> int:
    return next(word.start for cell in cells for word in cell)


def _things(row: Wording, cells: Sequence[Sequence[Word]]) -> tuple[int, tuple[str, ...]] | None:
    """The column that names what a row is of, and the files that these are."""
    for k, cell in enumerate(cells):
        at = replace(row, words=cell)
        first = next((i for i, w in enumerate(cell) if w.tag not in (*_VERBS, "SIGN", "YES")), None)
        if first is None:
            continue
        paths = paths_of(at, things_at(at, first)) or _folder(at, first)
        if paths:
            return k, paths
    return None


def paths_of(at: Wording, things: Sequence[Thing]) -> tuple[str, ...]:
    """The files that these things are; none where one of them is not told by name or as all."""
    paths: list[str] = []
    for thing in things:
        if thing.kind == "file":
            paths.append(thing.path)
        elif thing.kind == "folder" and thing.every:
            paths += at.names.folders[thing.path]
        elif thing.kind == "scope" and thing.every and thing.value == at.calling.size:
            paths += at.names.scope
        else:
            return ()
    return tuple(paths)


def _folder(at: Wording, i: int) -> tuple[str, ...]:
    """The files of a folder that stands alone: "docs/"."""
    if at.tag(i) == "FOLDER":
        return at.words[i].paths
    found = at.calling.folder_at(at.text, at.words[i].start) if at.tag(i) else None
    return at.names.folders[found.path] if found else ()


def _said(
    header: Wording, heads: Sequence[Sequence[Word]], cells: Sequence[Sequence[Word]], named: int
) -> Polarity | None:
    """What the cells of one row say of reading."""
    verb = any(word.tag in _VERBS for word in cells[named])
    for k, cell in enumerate(cells):
        if k == named:
            continue
        head = heads[k]
        if any(w.tag == "READ" for w in head) and any(w.tag == "LINE" for w in head):
            return _of_lines(heads, cells, k)
        texts = {word.text for word in head}
        strong = verb or head_of(replace(header, words=head)) is not None
        strong = strong or bool(texts & {"review", "read"})
        strong = strong and not texts & {"by", "date", "when"}
        by = any(w.tag == "READ" for w in head) and "by" in texts
        if by:
            said = polarity_of(cell)
            return said if said in ("unread", "read") else None
        if strong and (not verb or texts & _PROGRESS or _marks(cell)):
            said = polarity_of(cell)
            if said is not None:
                return said
        elif texts & _PROGRESS and _of_reading(cell):
            return polarity_of(cell)
    return None


def _marks(cell: Sequence[Word]) -> bool:
    return any(word.tag in ("YES", "NOPE", "NO", "PCT", "DONE") for word in cell)


def _of_reading(cell: Sequence[Word]) -> bool:
    """Whether a cell under "Status" is of reading: by its verb, or a share in percent."""
    tags = [word.tag for word in cell]
    plain = tags[:1] == ["NUM"] and tags[1:2] == ["PCT"]
    told = any(tag in ("READ", "GLANCE", "SKIPPED") for tag in tags)
    left = {word.text for word in cell} & {"pending", "unread", "unreviewed", "skipped", "todo"}
    started = [word.text for word in cell][:2] in (["not", "started"], ["to", "do"])
    return plain or told or bool(left) or started


def _of_lines(
    heads: Sequence[Sequence[Word]], cells: Sequence[Sequence[Word]], k: int
) -> Polarity | None:
    """What "Lines read" says beside the lines that there are."""
    words = [word for word in cells[k] if word.tag != "SIGN"]
    if len(words) != 1 or words[0].tag != "NUM":
        return polarity_of(cells[k])
    value = words[0].value or 0
    others = [
        cell[0].value
        for head, cell in zip(heads, cells, strict=True)
        if head is not heads[k] and head and head[-1].text in _TOTALS and cell
        and cell[0].tag == "NUM"
    ]  # fmt: skip
    total = others[0] if others else None
    if value == 0 or total is None:
        return "unread" if value == 0 else None
    return "part" if value < total else "read"


def of_list(head: Wording | None, entries: Sequence[Entry]) -> Iterator[Marked]:
    """What a check list tells: boxes of its progress, crosses where a verb of reading stands."""
    marks = {mark_of(entry.raw) for entry in entries}
    of_reading = head is None or _is_of_reading(head)
    for entry in entries:
        said = _of_entry(entry, of_reading=of_reading, mixed=len(marks - {None}) > 1)
        if said is not None:
            yield said


def waiting(at: Wording, *, headed: bool) -> tuple[str, ...]:
    """The files that an entry of what is left names as to be read: "Read store.py (150 lines)".
    `headed`: the head of the list has the verb."""
    named = _named(at)
    verb = headed or any(w.tag in ("READ", "READBASE", "GLANCE") for w in at.words)
    plain = named is not None and all(word.tag in _BESIDE for word in named.beside)
    return named.paths if named is not None and verb and plain else ()


class _Named(NamedTuple):
    """The files of an entry, and the words beside them."""

    paths: tuple[str, ...]
    beside: tuple[Word, ...]


def _named(at: Wording) -> _Named | None:
    words = at.words
    first = next(
        (i for i, w in enumerate(words) if w.tag not in (*_VERBS, "SIGN", "YES", "NOPE", "FULLY")
         and w.text != "x"), None,
    )  # fmt: skip
    if first is None:
        return None
    things = things_at(at, first)
    paths = paths_of(at, things) or _folder(at, first)
    last = things[-1].last if things else first + 1
    beside = tuple(w for i, w in enumerate(words) if not (first <= i < last) and w.text != "x")
    return _Named(paths, beside) if paths else None


def _of_state(beside: tuple[Word, ...]) -> tuple[Word, ...]:
    """Without the remark behind "reviewed" ("reviewed, 1 finding")."""
    for i, word in enumerate(beside[:-1]):
        if word.tag == "READ" and beside[i + 1].tag in ("COMMA", "SEMI", "DASH", "COLON"):
            remark = {w.tag for w in beside[i:]} & _TAKES_BACK
            return beside if remark else beside[: i + 1]
    return beside


def _is_of_reading(head: Wording) -> bool:
    """Whether a heading may stand over a list of what was read."""
    return any(w.tag in _VERBS or w.text in _READING_HEADS for w in head.words)


def _of_entry(entry: Entry, *, of_reading: bool, mixed: bool) -> Marked | None:
    mark, end = mark_of(entry.raw), end_mark_of(entry.raw)
    at = entry.words
    if mark is None and end is None:
        return None
    words = at.words
    named = _named(at)
    if named is None:
        return None
    paths, beside = named
    beside = _of_state(beside)
    if any(w.tag not in _BESIDE for w in beside):
        return None
    verb = any(w.tag in ("READ", "READBASE", "GLANCE") for w in words)
    sign = end or mark
    if sign == "crossed" and not verb:
        return None
    if sign in ("open", "ticked") and not (verb or (of_reading and (mixed or sign == "ticked"))):
        return None
    denied = any(w.tag == "NOT" for w in beside)
    said: Polarity = "read" if sign == "ticked" and not denied else "unread"
    if said == "read" and any(w.tag in ("PARTLY", "FIRST", "ONLY", "GLANCE") for w in beside):
        said = "part"
    return Marked(paths, said, words[0].start, words[-1].end)
