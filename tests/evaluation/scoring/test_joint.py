"""The upper ends against all joint assignments, tried one by one, and the greatest flow by cuts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.reading.context import MAIN, ContextLog, ContextText, FinalResponse, Thread
from evaluation.reading.engine import FileReading, Reading, ThreadReading, measure
from evaluation.scoring.coverage import FileScope, covered, run_coverage
from evaluation.scoring.needles import needle_reading
from evaluation.scoring.score import RULES, Rule
from evaluation.scoring.sharing import shared
from generators.lines import CorpusIndex, is_weighty
from generators.registry import Span
from tests.evaluation.reading.corpora import NOISE, TOOLS

SEEDS = st.integers(0, 2**32)
TEXTS = ("same clause", "another clause", "third clause", "}")
MOST_ASSIGNMENTS = 2000
"""That are tried one by one."""
Lines = frozenset[tuple[str, int]]


@dataclass(frozen=True)
class Case:
    """Lines that were shown one by one, with noise between them, so that no neighbour tells."""

    texts: dict[str, list[str]]
    shown: tuple[str, ...]
    command: str = ""
    """It names all of the files, or nothing."""

    @property
    def index(self) -> CorpusIndex:
        return CorpusIndex.of(
            {path: "".join(f"{line}\n" for line in lines) for path, lines in self.texts.items()}
        )

    def places(self, text: str) -> list[tuple[str, int]]:
        return [
            (path, number)
            for path, lines in self.texts.items()
            for number, line in enumerate(lines, start=1)
            if line == text
        ]

    def assignments(self) -> Iterator[Lines]:
        """All sets of lines that may have been shown."""
        for chosen in product(*(self.places(text) for text in self.shown)):
            yield frozenset(chosen)

    def read(self) -> Reading:
        output = "".join(f"{NOISE}\n{text}\n" for text in self.shown) + NOISE
        text = ContextText(MAIN, 1, "t1", "Shell", {"command": self.command}, output)
        return measure(log(text), TOOLS, self.index)


def log(*texts: ContextText) -> ContextLog:
    return ContextLog((Thread(MAIN, "main"),), texts, FinalResponse("done", 99))


def case(seed: int) -> Case:
    rng = Random(seed)
    texts = {
        f"f{number}.md": [
            rng.choice((*TEXTS, f"only line {place} of {number}"))
            for place in range(rng.choice((1, 2, 3, 4, 12)))
        ]
        * rng.choice((1, 1, 2))
        for number in range(rng.randint(1, 4))
    }
    known = sorted({line for lines in texts.values() for line in lines if is_weighty(line)})
    shown = [rng.choice(known) for _ in range(rng.randint(1, 4))] if known else []
    return Case(texts, tuple(shown), rng.choice(("", f"grep a {' '.join(texts)}")))


def meets(rule: Rule, lines: list[str], numbers: set[int]) -> bool:
    """A rule as docs/measurement.md has it."""
    if rule == "read":
        return 100 * len(numbers) >= 95 * len(lines)
    if rule == "opened":
        width = min(10, len(lines))
        return any(
            numbers.issuperset(range(first, first + width))
            for first in range(1, len(lines) - width + 2)
        )
    weighty = {n for n, line in enumerate(lines, start=1) if is_weighty(line)}
    return bool(numbers & weighty) if weighty else bool(numbers)


def short_case(seed: int) -> Case:
    """One with blank and short lines, of which nobody can tell where they stand."""
    one, rng = case(seed), Random(seed + 1)
    texts = {
        path: [rng.choice((line, line, "", "}")) for line in lines]
        for path, lines in one.texts.items()
    }
    known = sorted({line for lines in texts.values() for line in lines})
    shown = tuple(text for text in one.shown if text in known)[:2]
    short = [text for text in known if not is_weighty(text)]
    more = [rng.choice(short) for _ in range(rng.randint(1, 3))] if short else []
    found = Case(texts, (*more, *shown), one.command)
    while prod(len(found.places(text)) for text in found.shown) > MOST_ASSIGNMENTS:
        found = replace(found, shown=found.shown[:-1])
    return found


@given(seed=SEEDS)
def test_the_ends_hold_every_place_of_blank_and_short_lines(seed: int) -> None:
    """They open files and make them read at the upper end, and touch none."""
    one = short_case(seed)
    reading, index = one.read(), one.index
    if not one.command:
        assert reading.union.short == sum(not is_weighty(text) for text in one.shown)
    scope = FileScope(tuple(one.texts), ())
    every = set(one.assignments())
    found = run_coverage(reading, log(), scope, index).union
    assert found.lines[1] >= max(map(len, every))
    for file in found.files:
        own = one.texts[file.path]
        numbers = [of_file(file.path, lines) for lines in every]
        if file.entered[1]:
            assert file.entered[1] >= max(map(len, numbers))
            texts = ({own[number - 1] for number in found} - {""} for found in numbers)
            assert file.text[1] >= max(map(len, texts))
    for rule in ("opened", "read"):
        met = [
            sum(meets(rule, own, of_file(path, lines)) for path, own in one.texts.items())
            for lines in every
        ]
        end = covered(reading.union, scope, index, rule).files
        assert end[0] <= min(met)
        assert end[1] >= max(met)
        for path, own in one.texts.items():
            alone = covered(reading.union, FileScope((path,), ()), index, rule)
            assert alone.most or not any(meets(rule, own, of_file(path, lines)) for lines in every)


@pytest.mark.parametrize(
    ("short", "opened", "read"),
    [
        pytest.param(1, (0, 0), (0, 0), id="too few for any"),
        pytest.param(2, (0, 1), (0, 1), id="enough for one of them"),
        pytest.param(3, (0, 1), (0, 1), id="too few for both"),
        pytest.param(4, (0, 2), (0, 2), id="enough for both"),
    ],
)
def test_short_lines_without_a_place_are_shared_by_the_files(
    short: int, opened: tuple[int, int], read: tuple[int, int]
) -> None:
    """`sort *.py`: the lines of weight are sure, two of each file are blank or short."""
    texts = {"a.py": ["def one():", "    pass", "", "}"], "b.py": ["beta = 1", "", "beta two", "}"]}
    index = Case(texts, ()).index
    sure = {"a.py": FileReading(frozenset({1, 2})), "b.py": FileReading(frozenset({1, 3}))}
    thread = ThreadReading({**sure}, short=short)
    scope = FileScope(tuple(texts), ())
    assert covered(thread, scope, index, "opened").files == opened
    assert covered(thread, scope, index, "read").files == read
    assert covered(thread, scope, index, "touched").files == (2, 2)


def test_short_lines_without_a_place_open_no_file_whose_other_lines_were_not_shown() -> None:
    texts = {"a.py": ["", "}", "", "own line", "", "}"], "b.py": [""] * 30}
    index = Case(texts, ()).index
    thread = ThreadReading({}, short=9)
    for paths in (("a.py",), ("b.py",), ("a.py", "b.py")):
        scope = FileScope(paths, ())
        for rule in RULES:
            assert covered(thread, scope, index, rule).files == (0, 0)


def of_file(path: str, lines: Lines) -> set[int]:
    return {number for one, number in lines if one == path}


@given(seed=SEEDS)
def test_the_ends_are_those_of_all_joint_assignments(seed: int) -> None:
    one = case(seed)
    reading, index = one.read(), one.index
    scope = FileScope(tuple(one.texts), ())
    found = run_coverage(reading, log(), scope, index).union
    every = set(one.assignments())
    assert found.lines[0] <= min(map(len, every))
    assert found.lines[1] == max(map(len, every))
    for file in found.files:
        counts = [len(of_file(file.path, lines)) for lines in every]
        assert file.entered[0] <= min(counts)
        assert file.entered[1] == max(counts)
        texts = [
            len({one.texts[file.path][number - 1] for number in of_file(file.path, lines)})
            for lines in every
        ]
        assert file.text[1] == max(texts)
        assert file.entered[1] <= len(one.shown)
    for rule in RULES:
        met = [
            sum(meets(rule, own, of_file(path, lines)) for path, own in one.texts.items())
            for lines in every
        ]
        end = covered(reading.union, scope, index, rule).files
        assert end[0] <= min(met)
        assert end[1] >= max(met)
        for path, own in one.texts.items():
            alone = covered(reading.union, FileScope((path,), ()), index, rule)
            assert alone.most == any(meets(rule, own, of_file(path, lines)) for lines in every)
        if rule == "touched":
            assert end[1] == max(met)
            assert found.breadth == end


@given(seed=SEEDS)
def test_a_needle_is_read_where_a_joint_assignment_reads_it(seed: int) -> None:
    one = case(seed)
    rng = Random(seed)
    evidence = [
        Span(path=path, first=first, last=rng.randint(first, len(lines)))
        for path, lines in one.texts.items()
        for first in (rng.randint(1, len(lines)),)
    ]
    wanted = {(span.path, n) for span in evidence for n in range(span.first, span.last + 1)}
    reading = one.read()
    sure = {(path, n) for path, file in reading.union.files.items() for n in file.sure}
    most = max(len(wanted & lines) for lines in one.assignments())

    def word(count: int) -> str:
        return "read" if count == len(wanted) else "part_read" if count else "unread"

    ends = {word(len(wanted & sure)), word(most)}
    expected = ends.pop() if len(ends) == 1 else "undecided"
    assert needle_reading(evidence, reading, one.index) == expected


def test_one_line_of_thirty_files_touches_one_of_them() -> None:
    """Beside it, one was shown twenty times that two of the files have, and two that the first file
    has twice."""
    texts = {f"f{number}.md": ["licensed to all", f"own {number}"] for number in range(30)}
    for path in ("f0.md", "f1.md"):
        texts[path].append("of these two")
    texts["f0.md"] += ["here twice", "here too twice"] * 2
    one = Case(texts, ("licensed to all", *["of these two"] * 20, "here twice", "here too twice"))
    scope = FileScope(tuple(texts), ())
    found = run_coverage(one.read(), log(), scope, one.index).union
    assert found.breadth == (0, 3)
    assert found.lines == (0, 5)
    assert [file.entered for file in found.files[:3]] == [(0, 4), (0, 2), (0, 1)]


@pytest.mark.parametrize(
    ("supplies", "demands", "most"),
    [
        pytest.param({}, [1, 1], 0, id="nothing-to-give"),
        pytest.param({(0,): 5}, [2, 9], 2, id="no-more-than-is-wanted"),
        pytest.param({(0, 1): 3}, [2, 2], 3, id="no-more-than-there-is"),
        pytest.param({(0, 1): 1, (0,): 1}, [1, 1], 2, id="each-its-own"),
        pytest.param({(0, 1): 1, (1, 2): 1, (0, 2): 1}, [1, 1, 1], 3, id="round-about"),
        pytest.param({(0, 1, 2): 1, (0, 1): 1, (2,): 4}, [1, 1, 1], 3, id="a-gift-taken-back"),
    ],
)
def test_what_supplies_can_meet(
    supplies: dict[tuple[int, ...], int], demands: list[int], most: int
) -> None:
    assert shared(supplies, demands) == most


@given(seed=SEEDS)
def test_supplies_meet_what_the_least_cut_lets_through(seed: int) -> None:
    """For each set of demands: what the others want, and what supplies for some of these have."""
    rng = Random(seed)
    demands = [rng.randint(0, 4) for _ in range(rng.randint(1, 5))]
    places = range(len(demands))
    supplies = {
        tuple(sorted(rng.sample(places, rng.randint(1, len(demands))))): rng.randint(0, 5)
        for _ in range(rng.randint(0, 6))
    }
    cuts = [
        sum(demands[place] for place in places if place not in kept)
        + sum(count for takers, count in supplies.items() if not set(takers).isdisjoint(kept))
        for size in range(len(demands) + 1)
        for kept in combinations(places, size)
    ]
    assert shared(supplies, demands) == min(cuts)
