"""Texts that quote what was changed: a prompt the planted lines, another file the clean ones.

Prevents a false result: a needle counted as found by review whose place or wording the task prompt
gave, or whose clean wording stands in another file, so that comparing the two shows the change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from generators.lines import is_weighty, normal_form, split_lines
from generators.registry import Edit, RegisteredNeedle
from validation.subject import Subject

WORD = re.compile(r"\w+")
RUN = 4
"""Words in a row that nobody writes by chance as a planted line has them."""
PARTICULAR = re.compile(r"[A-Za-z]-?\d{3}|\d{5}")
"""What makes a line that of one matter, `INV-1014`: rows of amounts and dates stand twice by
chance."""
QUOTED = 5
"""Words of such a line."""
LINE_NUMBER = re.compile(r"(?:\blines?|\bl\.|\bL|:)\s*(\d{1,7})\b")


def _words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.casefold()))


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The runs of a line: those of four words, or the whole of a shorter one."""
    size = min(RUN, len(words))
    for start in range(len(words) - size + 1):
        yield tuple(words[start : start + size])


@dataclass(frozen=True)
class Quotes:
    """What of a build's needles may be quoted nowhere."""

    subject: Subject

    def in_prompt(self, prompt: str) -> Iterator[str]:
        """Needles whose planted words, or whose file, a prompt gives."""
        words = _words(prompt)
        runs = {
            tuple(words[at : at + size]) for size in range(1, RUN + 1) for at in range(len(words))
        }
        for needle, planted in self._planted.items():
            told = next((run for run in planted if run in runs), None)
            if told:
                yield f"the planted words {' '.join(told)!r} of {needle}"
        named = {path for path in self.subject.review if self._names(prompt, path)}
        for path in sorted(named & self._evidence):
            if not self._peers(path) <= named:
                yield f"the file {path}, which holds what is to be found,"

    def in_files(self) -> Iterator[str]:
        """Files that quote a clean line of an edit elsewhere, or name its file and line."""
        for needle in self.subject.needles:
            own = {edit.path for edit in needle.edits} | {span.path for span in needle.evidence}
            for edit in needle.edits:
                yield from self._quoting(edit, own)
            yield from self._naming(needle)

    @cached_property
    def _planted(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The runs of words of each needle's planted lines that the clean corpus does not hold."""
        found: dict[str, tuple[tuple[str, ...], ...]] = {}
        for needle in self.subject.needles:
            new = [line for edit in needle.edits for line in edit.planted if line not in edit.clean]
            runs = dict.fromkeys(
                run for line in new if is_weighty(line) for run in _runs(_words(line))
            )
            found[needle.id] = tuple(runs)
        wanted = {run for runs in found.values() for run in runs}
        clean = self._held(wanted)
        return {name: tuple(r for r in runs if r not in clean) for name, runs in found.items()}

    def _held(self, wanted: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
        """Those of some runs that stand in the clean corpus."""
        sizes = {len(run) for run in wanted}
        held: set[tuple[str, ...]] = set()
        for text in self.subject.clean.values():
            words = _words(text)
            for size in sizes:
                held |= wanted.intersection(zip(*(words[at:] for at in range(size)), strict=False))
        return held

    @cached_property
    def _evidence(self) -> frozenset[str]:
        needles = self.subject.needles
        return frozenset(span.path for needle in needles for span in needle.evidence)

    def _peers(self, path: str) -> set[str]:
        kinds = {file.path: file.kind for file in self.subject.build.manifest.files}
        return {one for one in self.subject.review if kinds[one] == kinds[path]}

    @cached_property
    def _short(self) -> Mapping[str, str]:
        """How each path under review may be written: by a name that no other has, or in full."""
        names = Counter(PurePosixPath(path).name for path in self.subject.review)
        return {
            path: name if names[name := PurePosixPath(path).name] == 1 else path
            for path in self.subject.review
        }

    def _named(self, text: str, path: str) -> Iterator[int]:
        """Where a text names a path: the ends of its name."""
        short = self._short[path]
        if short in text:
            pattern = re.compile(rf"(?<![\w-]){re.escape(short)}(?![\w-])")
            yield from (match.end() for match in pattern.finditer(text))

    def _names(self, text: str, path: str) -> bool:
        return any(True for _ in self._named(text, path))

    def _quoting(self, edit: Edit, own: set[str]) -> Iterator[str]:
        for line in edit.clean:
            form = normal_form(line)
            if line in edit.planted or len(_words(line)) < QUOTED or not PARTICULAR.search(line):
                continue
            places = {place.path for place in self.subject.index.places.get(form, ())} - own
            if len(places) == 1:
                yield f"{places.pop()} (holds the line that was changed in {edit.path})"

    def _naming(self, needle: RegisteredNeedle) -> Iterator[str]:
        numbers: dict[str, set[int]] = {}
        shown = [(span.path, span.first, span.last) for span in needle.evidence]
        put = [(edit.path, edit.first, edit.last) for edit in needle.edits]
        for path, first, last in (*shown, *put):
            numbers.setdefault(path, set()).update(range(first, last + 1))
        for path in sorted(self._short.keys() & numbers.keys()):
            for other, text in sorted(self.subject.planted.items()):
                if (
                    other != path
                    and self._names(text, path)
                    and self._at(text, path, numbers[path])
                ):
                    yield f"{other} (names {path} and the line)"

    def _at(self, text: str, path: str, numbers: set[int]) -> bool:
        return any(
            int(number) in numbers
            for line in split_lines(text)
            for end in self._named(line, path)
            for number in LINE_NUMBER.findall(line[end:])
        )
