"""The interval of the engine against the truth, over random corpora and outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.reading.context import MAIN, ContextLog, FinalResponse, Thread
from evaluation.reading.copies import Copies
from evaluation.reading.engine import ThreadReading, measure
from evaluation.reading.lines.placement import spots
from evaluation.reading.results import place_text
from generators.lines import CorpusIndex, is_weighty
from tests.evaluation.reading.corpora import TOOLS, Shown, corpus
from tests.evaluation.reading.outputs import Outputs

SEEDS = st.integers(0, 2**32)


def reading(shown: Sequence[Shown], index: CorpusIndex) -> ThreadReading:
    texts = tuple(one.text for one in shown)
    log = ContextLog((Thread(MAIN, "main"),), texts, FinalResponse("done", 99))
    return measure(log, TOOLS, index).threads[MAIN]


def joined(parts: Sequence[Mapping[str, set[int]]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for part in parts:
        for path, numbers in part.items():
            found.setdefault(path, set()).update(numbers)
    return found


def weighty(index: CorpusIndex, path: str, numbers: set[int] | frozenset[int]) -> set[int]:
    return {n for n in numbers if is_weighty(index.files[path][n - 1])}


def placed(shown: Shown, index: CorpusIndex, *, by_blocks: bool) -> tuple[object, ...]:
    """A placement in which only what it says counts, not how its lines are put together."""
    tool = TOOLS[shown.text.tool]
    found = place_text(shown.text, tool, index, by_blocks=by_blocks)
    copies = Copies(index)
    copies.add(found)
    return (
        spots(found.sure),
        spots(found.possible),
        sorted(found.anywhere),
        spots(found.partial),
        found.ambiguous,
        copies.all,
        [copies.of(path, range(1, len(lines) + 1)) for path, lines in index.files.items()],
        found.leftover,
        found.unplaced,
    )


def check_blocks(seed: int) -> None:
    rng = Random(seed)
    outputs = Outputs(rng, corpus(rng))
    for shown in [outputs.any(1) for _ in range(3) if outputs.paths]:
        assert placed(shown, outputs.index, by_blocks=True) == placed(
            shown, outputs.index, by_blocks=False
        )


@given(seed=SEEDS)
@settings(max_examples=500)
def test_blocks_are_placed_as_their_lines_are(seed: int) -> None:
    check_blocks(seed)


@given(seed=SEEDS)
@settings(max_examples=200)
def test_blocks_are_measured_as_their_lines_are_beside_lists_of_names(seed: int) -> None:
    """Some lines are single words, which may be names."""
    rng = Random(seed)
    texts = {
        path: "\n".join(rng.choice((line, "_".join(line.split()))) for line in text.split("\n"))
        for path, text in corpus(rng).items()
    }
    outputs = Outputs(rng, texts)
    for one in [outputs.any(1) for _ in range(3) if outputs.paths]:
        listing = {"command": f"ls none; {one.text.arguments.get('command', '')}"}
        shown = replace(one.text, tool="Shell", arguments=listing)
        log = ContextLog((Thread(MAIN, "main"),), (shown,), FinalResponse("done", 99))
        found = measure(log, TOOLS, outputs.index)
        assert found == measure(log, TOOLS, outputs.index, by_blocks=False)


def check(seed: int) -> None:
    rng = Random(seed)
    texts = corpus(rng)
    outputs = Outputs(rng, texts)
    if not outputs.paths:
        return
    shown = [outputs.any(call) for call in range(1, rng.randint(2, 5))]
    index = outputs.index
    main = reading(shown, index)
    whole, perhaps = joined([one.whole for one in shown]), joined([one.perhaps for one in shown])
    missed = 0
    for path in texts:
        file, truth = main.of(path), whole.get(path, set())
        assert file.sure <= truth | perhaps.get(path, set())
        assert weighty(index, path, truth) <= file.sure | file.possible
        missed += len(weighty(index, path, truth) - file.sure)
        most = file.count_most(index.files[path])
        assert len(weighty(index, path, truth) | file.sure) <= most
        assert most <= len(file.most)
        if all(one.decided for one in shown):
            assert weighty(index, path, file.sure) == weighty(index, path, truth)
        if all(one.exact for one in shown):
            assert file.sure == truth
    assert missed <= main.ambiguous


@given(seed=SEEDS)
@settings(max_examples=500)
def test_the_interval_contains_the_truth_and_is_exact_where_each_run_is_decided(
    seed: int,
) -> None:
    check(seed)
