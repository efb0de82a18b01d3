"""Places bare output by comparing whole blocks: `cat`, `sed -n a,bp`, a read without numbers.

Gives what line_by_line.py gives. Where it cannot tell that, it gives nothing, and that is asked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from evaluation.reading.lines.forms import (
    BEHIND_NUMBERS,
    LONGEST_PATH,
    NUMBERED,
    ShownLine,
    not_in_corpus,
    other_reading,
)
from evaluation.reading.lines.outputs import Claim, Edges, Frame
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.placement import Placement, Span, Unplaced
from evaluation.reading.lines.printed import Printed, equal_lines
from evaluation.reading.lines.shown import MARK_BEGINS, around_elided, is_mark, may_elide
from evaluation.reading.placing.runs import Around, place_claims
from evaluation.reading.placing.stretches import place_left
from generators.lines import CorpusIndex, normal_form

EMPTY = re.compile(r"\n*+")
FEW = 2
"""Lines in a row that are none of the corpus, after which the next ones are looked at together."""
MOST_FEW = 64
SLOWER = 32
"""How much slower it is to go line by line, at the least."""
BLOCK = 1024
"""Characters for each line that was passed over in a row."""


def quick_form(text: str) -> Callable[[str], str]:
    """The normal form of lines of a text without colour and byte-order marks."""
    return normal_form if "\t" in text else str.rstrip


def place_block(
    text: str, first: str, only: str | None, index: CorpusIndex, frame: Frame
) -> Placement | None:
    """Place what one command alone printed, where all of it is one block of a file.

    `first` is the normal form of its first line. Gives what PlainOutput gives, and nothing for any
    other output.
    """
    printed = index.kept(Printed)
    if frame.is_mixed or not (frame.begins and frame.ends):
        return None
    known = printed.unique.get(first)
    if known is not None:
        path, number = known.path, known.line
    else:
        found = index.lines_in(only, first) if only is not None else ()
        if only is None or len(found) != 1:
            return None
        path, number = only, found[0]
    page = printed.bare(path)
    if not page.text.startswith(text, page.starts[number - 1]) or not printed.is_read_bare(path):
        return None
    last = number + page.lines_in(len(text), number) - 1
    if frame.origin is not None and not frame.origin.tells(path):
        return None
    if known is None and printed.unique.keys().isdisjoint(index.files[path][number - 1 : last]):
        return None
    return Placement([Span(path, number, last)])


class _Run:
    """Neighbouring lines that all stand in the corpus: claims, and loose lines among them."""

    def __init__(self, start: int, before: str | None, index: CorpusIndex) -> None:
        self.start = self.stop = start
        self.before = before
        """The shown line above, which is no line of the corpus."""
        self.claims: list[Claim] = []
        self._ends: list[int] = []
        self._loose: dict[int, str] = {}
        self._index = index

    def text(self, position: int) -> str:
        loose = self._loose.get(position)
        if loose is not None:
            return loose
        claim = self.claims[bisect_right(self._ends, position)]
        return self._index.files[claim.path][claim.number(position) - 1]

    def pass_over(self, count: int, before: str) -> None:
        """Lines above it that are no lines of the corpus."""
        self.start = self.stop = self.stop + count
        self.before = before

    def add(self, text: str) -> None:
        """A line that no claim before it holds."""
        self._loose[self.stop] = text
        self.stop += 1

    def add_blanks(self, count: int) -> None:
        """Empty lines that no claim before them holds."""
        self._loose.update(dict.fromkeys(range(self.stop, self.stop + count), ""))
        self.stop += count

    def claim(self, path: str, number: int, count: int) -> None:
        """So many lines from the next position on, and those before it that go before them."""
        lines = self._index.files[path]
        start, before = self.stop, number - 2
        while start > self.start and before >= 0 and lines[before] == self.text(start - 1):
            start -= 1
            before -= 1
        self.stop += count
        self.claims.append(Claim(start, self.stop, path, before + 2))
        self._ends.append(self.stop)


class PlainOutput:
    """One bare output. Filled while it is placed."""

    def __init__(
        self, text: str, only: str | None, index: CorpusIndex, frame: Frame, *, has_forms: bool
    ) -> None:
        self._text = text
        self._only = only
        self._index = index
        self._frame = frame
        self._has_forms = has_forms
        """Other commands than `cat` may have printed it."""
        self._printed = index.kept(Printed)
        self._paths = index.kept(paths_of)
        self._result = Placement()
        self._run = _Run(0, None, index)
        self._normal_form = quick_form(text)
        self._passed = FEW
        """Lines in a row that are none of the corpus: at first, as if there had been some."""
        self._few = FEW
        """Of these, after how many a block is tried: more where the last ones were in vain."""
        self._again = 0
        """From where on: what was looked at in vain is not, but for a part."""

    def place(self) -> Placement | None:
        """Place all of it; None where a line of it may be read in several ways."""
        text, places, unique = self._text, self._index.places, self._printed.unique
        first = text[: text.find("\n")]
        at = self._pass_all(0) if text and self._normal_form(first) not in places else 0
        while at < len(text):
            end = text.index("\n", at)
            line = text[at:end]
            normal = self._normal_form(line)
            known = unique.get(normal)
            if known is not None:
                self._passed = 0
                reached = self._follow(line, end + 1, known.path, known.line)
                if reached is None:
                    return None
                at = reached
                continue
            if normal in places:
                if self._has_other(line):
                    return None
                self._run.add(normal)
                self._passed = 0
            elif not self._pass_over(line, normal):
                return None
            at = end + 1
            if not line and not self._passed:
                at = self._add_blanks(at)
            if self._passed >= self._few and at >= self._again:
                at = self._pass_all(at)
        if self._run.start < self._run.stop:
            self._close(None)
        return self._result

    def _follow(self, line: str, at: int, path: str, number: int) -> int | None:
        """Claim the lines that follow a unique one as they do in its file; where they end."""
        page = self._printed.bare(path)
        if self._has_other(line) or (self._has_forms and not self._printed.is_read_bare(path)):
            return None
        text, lines = self._text, self._index.files[path]
        count, total = 1, len(lines)
        while number - 1 + count < total and at < len(text):
            length = equal_lines(text, at, page, number + count)
            count += page.lines_in(length, number + count) if length else 0
            at += length
            if number - 1 + count >= total or at >= len(text):
                break
            # Not equal as it stands: perhaps by normal form, with other white space at its end.
            end = text.index("\n", at)
            line = text[at:end]
            if self._normal_form(line) != lines[number - 1 + count]:
                break
            if self._has_other(line):
                return None
            count += 1
            at = end + 1
        self._run.claim(path, number, count)
        return at

    def _add_blanks(self, at: int) -> int:
        """Add the empty lines that follow an empty one of the corpus; where they end."""
        end = EMPTY.match(self._text, at).end()  # type: ignore[union-attr]
        self._run.add_blanks(end - at)
        return end

    def _has_other(self, line: str) -> bool:
        return (
            self._has_forms
            and self._may_have_form(line)
            and other_reading(line, self._index, self._paths) is not None
        )

    def _pass_over(self, line: str, normal: str) -> bool:
        """Go past a line that is not in the corpus, unless some command's form makes it one."""
        if self._has_forms and self._may_have_form(line):
            one = not_in_corpus(line, normal, self._index, self._paths)
            if one.number is not None or one.path is not None:
                return False
        parts = around_elided(line, ShownLine(normal), self._index)
        if normal[:1] in MARK_BEGINS and is_mark(ShownLine(normal)):
            return False
        if len(parts) > 1 and any(
            part.text in self._index.places or is_mark(part) for part in parts
        ):
            return False
        if self._run.start < self._run.stop:
            self._close(parts[0].text)
            self._run = _Run(self._run.stop, None, self._index)
        if normal:
            self._result.leftover.append(normal)
        self._run.pass_over(len(parts), parts[-1].text)
        self._passed += 1
        return True

    def _pass_all(self, at: int) -> int:
        """Go past one block after another, for as long as that can be done; where that ends."""
        reached = -1
        while reached < at < len(self._text):
            reached, at = at, self._pass_many(at)
        return at

    def _pass_many(self, at: int) -> int:
        """Go past all lines of a block, if none of them can be of the corpus; where that ends."""
        end = self._text.find("\n", min(at + self._passed * BLOCK, len(self._text))) + 1
        block = self._text[at : end or len(self._text)]
        normals = [] if may_elide(block) else list(map(self._normal_form, block.split("\n")[:-1]))
        apart = self._index.places.keys().isdisjoint
        if not normals or not apart(normals) or (self._has_forms and not self._has_no_forms(block)):
            self._passed = 0
            self._few = min(2 * self._few, MOST_FEW)
            self._again = at + len(block) // SLOWER
            return at
        self._few = FEW
        self._result.leftover += filter(None, normals)
        self._run.pass_over(len(normals), normals[-1])
        self._passed += len(normals)
        return at + len(block)

    def _has_no_forms(self, block: str) -> bool:
        rests = map(self._normal_form, BEHIND_NUMBERS.findall(f"\n{block}"))
        return self._index.places.keys().isdisjoint(rests) and not self._paths.may_be_in(block)

    def _may_have_form(self, line: str) -> bool:
        return NUMBERED.match(line) is not None or (
            self._paths.marks.search(line, 0, LONGEST_PATH) is not None
        )

    def _close(self, after: str | None) -> None:
        run, index, result = self._run, self._index, self._result
        edges = Edges(
            begins=self._frame.begins and run.start == 0,
            ends=self._frame.ends and after is None,
        )
        if self._is_whole(edges):
            result.sure += run.claims[0].spans(run.start, run.stop)
            return
        around = Around(run.before, after, edges, self._frame, self._only)
        settled = place_claims(run, run.claims, around, index, result)
        unplaced = settled.given + place_left(run, settled.open, around, index, result)
        texts = filter(None, map(run.text, sorted(unplaced)))
        result.unplaced += [Unplaced(len(result.leftover), text) for text in texts]

    def _is_whole(self, edges: Edges) -> bool:
        """Whether a run is all of an output, and one claim all of the run."""
        run = self._run
        return (
            edges.begins
            and edges.ends
            and not self._frame.is_mixed
            and len(run.claims) == 1
            and self._is_shown(run.claims[0].path)
            and (run.claims[0].start, run.claims[0].stop) == (run.start, run.stop)
        )

    def _is_shown(self, path: str) -> bool:
        return self._frame.origin is None or self._frame.origin.tells(path)
