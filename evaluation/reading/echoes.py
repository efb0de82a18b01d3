"""Lines of the corpus that a model wrote into a call: an echo, or a note that is read back.

Prevents two false results: credit for text that a command printed because the model had written it,
and doubt about a file because the model quoted it after it had read it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from evaluation.reading.calls.commands import command_in
from evaluation.reading.context import ContextText
from evaluation.reading.lines.placement import Placement, Span, merged
from evaluation.reading.lines.shown import strings_in
from evaluation.reading.lines.words import WORD, LineBeginnings
from generators.lines import TAB_STOP, CorpusIndex, is_weighty

REPLACED = frozenset(("old_string", "old_str", "oldString", "old_text"))
"""Arguments that hold what stood in a file before: no model's text."""
WRITES = (">", "<<", "tee ", " -i", "write", "patch")
"""In a command that may write a file."""
QUOTES = (("'\\''", "'"), ("'\"'\"'", "'"), ('\\"', '"'), ("\\$", "$"), ("\\`", "`"))
"""How a shell's words hold a quote, and what it prints."""
BREAKS = (("\\n", "\n"), ("\\t", "\t"), ('\\"', '"'))
"""As a command would print them: `printf 'one\\ntwo'`, or text inside of JSON."""


@dataclass(frozen=True)
class _Writing:
    """One call in which a line stands."""

    text: ContextText
    """What came back for it."""
    before: int
    """It was written no earlier than in the answer to this call."""


class Echoes:
    """What the calls of a run hold. Looked through when first asked for."""

    def __init__(self, texts: Sequence[ContextText], index: CorpusIndex) -> None:
        self._texts = texts
        self._index = index

    @cached_property
    def lines(self) -> Mapping[str, Sequence[int]]:
        """Weighty lines that stand in any argument of any call, by file, ascending."""
        found: dict[str, list[int]] = {}
        for place in (place for line in self._written for place in self._index.places[line]):
            found.setdefault(place.path, []).append(place.line)
        return {path: sorted(numbers) for path, numbers in found.items()}

    @cached_property
    def _written(self) -> Mapping[str, Sequence[_Writing]]:
        """The calls in which a line stands."""
        known = self._index.kept(LineBeginnings)
        lines_of: dict[str, frozenset[str]] = {}
        found: dict[str, list[_Writing]] = {}
        reached: dict[str, list[int]] = {}
        for text in self._texts:
            reached.setdefault(text.thread, []).append(text.call)
        calls = {thread: sorted(set(numbers)) for thread, numbers in reached.items()}
        for text in self._texts:
            lines: set[str] = set()
            for part in strings_in(_without_replaced(text.arguments)):
                lines |= _lines_in(part, known, lines_of)
            if not lines:
                continue
            replaced: set[str] = set()
            for key in REPLACED & text.arguments.keys():
                for part in strings_in(text.arguments[key]):
                    replaced |= _lines_in(part, known, lines_of)
            own = calls[text.thread]
            place = bisect_left(own, text.call)
            writing = _Writing(text, own[place - 1] if place else 0)
            for line in lines - replaced:
                found.setdefault(line, []).append(writing)
        return found

    def doubt(self, placement: Placement, text: ContextText) -> None:
        """Count lines that may be echoes at the upper end only."""
        if not self.lines:
            return
        spans = merged(placement.sure)
        placement.sure = []
        for span in spans:
            self._doubt_span(span, text, placement)

    def _doubt_span(self, span: Span, text: ContextText, placement: Placement) -> None:
        path, first, last = span
        known = self.lines.get(path, ())
        candidates = known[bisect_left(known, first) : bisect_right(known, last)]
        lines = self._index.files[path]
        surely: set[int] = set()
        perhaps: set[int] = set()
        for number in candidates:
            writings = [one for one in self._written[lines[number - 1]] if _may_hold(text, one)]
            if any(one.text is text or _writes(one.text, path) for one in writings):
                surely.add(number)
            elif writings:
                perhaps.add(number)
        if perhaps and not _has_others(lines, span, surely | perhaps):
            surely |= perhaps
        start = first
        for number in (*sorted(surely), last + 1):
            if start < number:
                rest = Span(path, start, number - 1)
                # Between echoes, short lines are where these are: echoes too.
                if surely and not any(map(is_weighty, lines[start - 1 : number - 1])):
                    placement.allow((rest,), number - start)
                else:
                    placement.sure.append(rest)
            if number <= last:
                placement.allow((Span(path, number, number),), 1)
            start = number + 1


def _may_hold(text: ContextText, writing: _Writing) -> bool:
    """Whether an output came after a line was written."""
    if text.thread == writing.text.thread:
        return text.call >= writing.text.call
    return text.call > writing.before


def _writes(text: ContextText, path: str) -> bool:
    """Whether a call may have written a file."""
    name = path.rsplit("/", 1)[-1]
    command = command_in(text.arguments)
    if command is not None and not any(mark in command for mark in WRITES):
        return False
    return any(name in part for part in strings_in(text.arguments))


def _has_others(lines: Sequence[str], span: Span, echoed: set[int]) -> bool:
    """Whether a line of weight stands among them that nobody wrote."""
    return any(
        is_weighty(lines[number - 1])
        for number in range(span.first, span.last + 1)
        if number not in echoed
    )


def _without_replaced(arguments: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    if REPLACED.isdisjoint(arguments):
        return arguments
    return {key: value for key, value in arguments.items() if key not in REPLACED}


def _lines_in(part: str, known: LineBeginnings, kept: dict[str, frozenset[str]]) -> frozenset[str]:
    """The lines of the corpus that stand in a text, as it is or as a command would print it."""
    if part not in kept:
        echoed: set[str] = set()
        for one in _ways(part):
            _add_lines_in(one.expandtabs(TAB_STOP), known, echoed)
        kept[part] = frozenset(echoed)
    return kept[part]


def _ways(part: str) -> Iterable[str]:
    """A text as it stands, and as commands would print it."""
    if "\\" in part or "'\"'" in part:
        return {part, _replaced(part, BREAKS), _replaced(part, QUOTES)}
    return (part,)


def _replaced(part: str, pairs: Iterable[tuple[str, str]]) -> str:
    for written, printed in pairs:
        part = part.replace(written, printed)
    return part


def _add_lines_in(written: str, known: LineBeginnings, echoed: set[str]) -> None:
    """Add the lines that stand in a text, whole words at their ends."""
    if not known.may_begin_in(WORD.findall(written)):
        return
    words = list(WORD.finditer(written))
    for place, word in enumerate(words):
        start = word.start()
        beginning = known.of(word[0])
        if beginning is None or place + beginning.fewest > len(words):
            continue
        for width in beginning.widths:
            if place + width > len(words):
                continue
            core = written[start : words[place + width - 1].end()]
            for line in beginning.lines.get(core, ()):
                if written.startswith(line, max(0, start - line.find(core))):
                    echoed.add(line)
