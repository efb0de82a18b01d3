"""Reading of files that changed meanwhile: each text is held against the files as they then were.

Between two edits the files stand still: an epoch. Each is measured by itself, and its lines are
followed to where they stand in the text that is shown (docs/audit.md, Files that change).
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from evaluation.audit.edits import plain
from evaluation.audit.following import Held, all_lines, followed_to, opened_up, own_lines
from evaluation.audit.misfits import Suspects, misfits
from evaluation.audit.past import Edit, Moment, Past
from evaluation.reading.context import MAIN, UNKNOWN_TOOL, ContextLog, ContextText, ToolTable
from evaluation.reading.engine import Reading, measure
from evaluation.reading.lines.paths import PathResolver, paths_of
from evaluation.reading.lines.shown import strings_in
from evaluation.reading.progress import Tell
from generators.lines import CorpusIndex

MOST_LINES = 1_000_000
"""Of all corpora beside the one that is shown: an index of so many lines takes some seconds."""
MOST_EPOCHS = 40
MOST_PASSES = 50_000
"""Texts that are gone through: each epoch goes through those of the whole session once."""
SMALL = 200_000
"""Lines of a corpus that is held whole as it was before the session; of a larger one, only files
that figures are asked of."""


@dataclass(frozen=True)
class Readings:
    """What was read, in the lines of the text that is shown and of the text before the session."""

    shown: Held
    at_hand: Held
    """The same, where any line that the session itself wrote counts at the upper end."""
    start: Held | None
    """None where no file had another text."""
    followed: frozenset[str]
    """Files that changed, and of which every text is known."""
    unknown: frozenset[str]
    """Files that had texts which nobody knows: any of their lines may have entered."""

    def with_attached(self, names: Sequence[str], paths: Collection[str]) -> Readings:
        """The same, where those of these files that have such a name may have been attached to the
        main agent's prompt, whole, without a trace."""
        maybe = sorted(
            p for p in paths if any(fnmatchcase(posixpath.basename(p), n) for n in names)
        )
        if not maybe:
            return self
        return replace(
            self,
            shown=_attached(self.shown, maybe),
            at_hand=_attached(self.at_hand, maybe),
            start=None if self.start is None else _attached(self.start, maybe),
        )


def _attached(held: Held, paths: Sequence[str]) -> Held:
    lines = all_lines(paths, held.index)
    return Held(held.index, opened_up(held.reading, lines, held.index, only=MAIN))


@dataclass(frozen=True)
class Measuring:
    """What is measured: a session against a corpus."""

    log: ContextLog
    tools: ToolTable
    index: CorpusIndex
    wanted: frozenset[str]
    """Files that figures are asked of: where there are too many edits to tell all apart, those of
    other files are not followed."""
    tell: Tell | None = None


def read_in_epochs(asked: Measuring, past: Past) -> Readings:
    """Measure a session against the files as they were at each of its moments."""
    log, tools, index, tell = asked.log, asked.tools, asked.index, asked.tell
    past = past.but(frozenset(_looked_at_meanwhile(_edits(past), log, tools, index)))
    if len(_places_by_edits(log, _edits(past))) > _most_epochs(index, log):
        past = past.but(past.followed.keys() - asked.wanted)
    if not past.followed:
        older = {path: (text,) for path, text in past.before.items()}
        reading = measure(log, tools, _corpus(index, {}, older), tell=tell)
        unknown = past.unknown | _misfits(asked, past, range(len(log.texts)), index)
        held = Held(index, opened_up(reading, all_lines(unknown, index), index))
        return Readings(held, held, None, frozenset(), unknown)
    paths = tuple(past.followed)
    epochs = tuple(_epochs(log, past, index))
    found = [Held(epoch.index, _measured(epoch, log, tools, tell)) for epoch in epochs]
    unknown = past.unknown.union(
        *(epoch.merged for epoch in epochs),
        *(_misfits(asked, past, epoch.places, epoch.index) for epoch in epochs),
    )
    shown = opened_up(followed_to(index, found, paths), all_lines(unknown, index), index)
    before = {path: one.texts[0] for path, one in past.followed.items()}
    start = _before(asked, {path: text for path, text in before.items() if text is not None})
    wrote = {
        path: own_lines(path, start if before[path] is not None else None, index)
        for path, one in past.followed.items()
        if one.edits
    }
    read = opened_up(followed_to(start, found, paths), all_lines(unknown, start), start)
    return Readings(
        shown=Held(index, shown),
        at_hand=Held(index, opened_up(shown, wrote, index)),
        start=Held(start, read) if start is not index else None,
        followed=frozenset(paths) - unknown,
        unknown=unknown,
    )


@dataclass(frozen=True)
class _Epoch:
    """Texts that were shown while the files stood still, or nearly so."""

    places: frozenset[int]
    """Of the texts, in the log."""
    index: CorpusIndex
    merged: frozenset[str] = frozenset()
    """Files that did change in it, since there were too many to be told apart."""


def _edits(past: Past) -> list[Edit]:
    found = (edit for one in past.followed.values() for edit in one.edits)
    return sorted(found, key=lambda edit: edit.moment)


def _places_by_edits(log: ContextLog, edits: Sequence[Edit]) -> dict[int, list[int]]:
    """The texts of a log by how many edits were done when they were shown."""
    moments = [edit.moment for edit in edits]
    by_count: dict[int, list[int]] = {}
    for place, text in enumerate(log.texts):
        by_count.setdefault(bisect_right(moments, Moment(text.call, place)), []).append(place)
    return by_count


def _most_epochs(index: CorpusIndex, log: ContextLog) -> int:
    by_lines = MOST_LINES // max(1, _lines(index))
    return max(1, min(MOST_EPOCHS, by_lines, MOST_PASSES // max(1, len(log.texts))))


def _lines(index: CorpusIndex) -> int:
    return sum(map(len, index.files.values()))


def _before(asked: Measuring, texts: Mapping[str, str]) -> CorpusIndex:
    """The corpus before the session."""
    if _lines(asked.index) <= SMALL:
        return _corpus(asked.index, texts)
    kept = asked.wanted & asked.index.files.keys()
    same = {path: asked.index.text(path) for path in kept}
    if all(plain(same[path]) == texts.get(path, plain(same[path])) for path in kept):
        return asked.index
    return CorpusIndex.of({**same, **{path: texts[path] for path in kept & texts.keys()}})


def _epochs(log: ContextLog, past: Past, index: CorpusIndex) -> Iterator[_Epoch]:
    edits = _edits(past)
    by_count = _places_by_edits(log, edits)
    counts = sorted(by_count)
    width = max(1, -(-len(counts) // _most_epochs(index, log)))
    for at in range(0, len(counts), width):
        some = counts[at : at + width]
        yield _Epoch(
            places=frozenset(place for count in some for place in by_count[count]),
            index=_index_at(edits[: some[-1]], past, index),
            merged=frozenset(edit.path for edit in edits[some[0] : some[-1]]),
        )


def _index_at(done: Sequence[Edit], past: Past, index: CorpusIndex) -> CorpusIndex:
    """The corpus when these edits were done; what a text shows late may be of an older one."""
    counts = dict.fromkeys(past.followed, 0)
    for edit in done:
        counts[edit.path] += 1
    now = {path: past.followed[path].texts[count] for path, count in counts.items()}
    older = {
        path: [text for text in reversed(past.followed[path].texts[:count]) if text is not None]
        for path, count in counts.items()
        if count and now[path] is not None
    }
    older |= {path: [text] for path, text in past.before.items()}
    return _corpus(index, now, older)


def _corpus(
    index: CorpusIndex,
    texts: Mapping[str, str | None],
    older: Mapping[str, Sequence[str]] | None = None,
) -> CorpusIndex:
    """The corpus with other texts of some files; None: there is no such file."""
    same = all(text == plain(index.text(path)) for path, text in texts.items())
    if same and not older:
        return index
    changed = {**{path: index.text(path) for path in index.files}, **texts}
    return CorpusIndex.of({path: text for path, text in changed.items() if text is not None}, older)


def _measured(epoch: _Epoch, log: ContextLog, tools: ToolTable, tell: Tell | None) -> Reading:
    """The reading of its own texts. Of the others the calls stay: what a model wrote is no text of
    a file, whenever it wrote it."""
    own = epoch.places
    texts = tuple(
        text if place in own or not text.text else replace(text, text="")
        for place, text in enumerate(log.texts)
    )
    return measure(replace(log, texts=texts), tools, epoch.index, tell=tell)


def _misfits(
    asked: Measuring, past: Past, places: Iterable[int], index: CorpusIndex
) -> frozenset[str]:
    """Files of which one of these texts shows what they are not known to have had: somebody else
    wrote to them as well."""
    paths = (asked.wanted | past.followed.keys()) - past.unknown
    suspects = Suspects(paths, frozenset(past.since & paths))
    texts = (asked.log.texts[place] for place in places)
    return misfits(texts, asked.tools, index, suspects, asked.log.folder)


def _looked_at_meanwhile(
    edits: Sequence[Edit], log: ContextLog, tools: ToolTable, index: CorpusIndex
) -> Iterator[str]:
    """Files that one agent may have read while another wrote to them, in whatever order."""
    by_thread: dict[str, list[ContextText]] = {}
    for text in sorted(log.texts, key=lambda text: text.call):
        by_thread.setdefault(text.thread, []).append(text)
    if len(by_thread) < 2:
        return
    seen = index.kept(paths_of)
    calls = {thread: [text.call for text in texts] for thread, texts in by_thread.items()}
    for edit in edits:
        began = _call_before(calls.get(edit.thread, []), edit.moment.call)
        for thread in calls.keys() - {edit.thread}:
            known = calls[thread]
            for at in range(bisect_right(known, began), len(known)):
                if _call_before(known, known[at]) >= edit.moment.call:
                    break
                if _may_show(by_thread[thread][at], edit.path, tools, seen):
                    yield edit.path
                    break


def _call_before(calls: Sequence[int], call: float) -> int:
    """The call of a thread before one of its own; 0 where there is none."""
    at = bisect_left(calls, call)
    return calls[at - 1] if at else 0


def _may_show(text: ContextText, path: str, tools: ToolTable, seen: PathResolver) -> bool:
    tool = tools.get(text.tool, UNKNOWN_TOOL)
    if tool.credit == "none" or not text.text:
        return False
    if tool.path_argument is None:
        return True
    return path in {seen.resolve(part) for part in strings_in(text.arguments)}
