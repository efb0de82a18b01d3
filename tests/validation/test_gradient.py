"""The gradient: needles at random places pass, bunched ones fail, and the figures are exact."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean, pstdev

import pytest

from generators.registry import Edit, RegisteredNeedle, Span
from tests.validation.made_builds import made_build, made_needle
from tests.validation.tiny import failed, the_check, tiny_detector
from validation.gradient import Gradient, check_gradient, faults
from validation.subject import Detections, Subject

LENGTHS = [random.Random(0).randrange(8, 160) for _ in range(60)]


def corpus(lengths: Sequence[int]) -> Subject:
    """Files of so many lines, and one of rules."""
    texts = {f"f{n:03}.md": "x\n" * length for n, length in enumerate(lengths)}
    return Subject(made_build(texts | {"rules.md": "one\n"}), Detections(tiny_detector))


@pytest.fixture(scope="module")
def sixty() -> Subject:
    return corpus(LENGTHS)


def needle(name: str, *spans: tuple[str, int, int]) -> RegisteredNeedle:
    evidence = tuple(Span(path=path, first=first, last=last) for path, first, last in spans)
    return made_needle("f000.md", 1, id=name, evidence=evidence)


def with_needles(subject: Subject, needles: Sequence[RegisteredNeedle]) -> Subject:
    registry = subject.build.registry.model_copy(update={"needles": tuple(needles)})
    return Subject(replace(subject.build, registry=registry), Detections(tiny_detector))


def figures(subject: Subject) -> Gradient:
    found = check_gradient(subject).figures
    assert isinstance(found, Gradient)
    return found


def anywhere(source: random.Random, name: str, subject: Subject) -> RegisteredNeedle:
    """A needle at random lines of one random file, of two in a third of the cases."""
    spans: list[tuple[str, int, int]] = []
    for path in source.sample(subject.review, source.choice((1, 1, 2))):
        length = subject.planted[path].count("\n")
        height = source.randrange(1, 4)
        first = source.randrange(1, length - height + 2)
        spans.append((path, first, first + height - 1))
    return needle(name, *spans)


@pytest.mark.parametrize("count", [4, 12, 30])
def test_needles_at_random_places_pass_for_99_of_100_seeds(sixty: Subject, count: int) -> None:
    broken = 0
    for seed in range(100):
        source = random.Random(f"{seed} {count}")
        needles = [anywhere(source, f"n{n}", sixty) for n in range(count)]
        broken += bool(failed(check_gradient(with_needles(sixty, needles), readings=20)))
    assert broken <= 1


def test_needles_at_random_lines_of_the_corpus_pass_for_99_of_100_seeds(sixty: Subject) -> None:
    lines = [(path, n + 1) for path in sixty.review for n in range(sixty.planted[path].count("\n"))]
    broken = 0
    for seed in range(100):
        places = random.Random(seed).sample(lines, 12)
        needles = [needle(f"n{n}", (path, at, at)) for n, (path, at) in enumerate(places)]
        broken += bool(failed(check_gradient(with_needles(sixty, needles), readings=20)))
    assert broken <= 1


def test_needles_in_two_files_fail() -> None:
    subject = corpus([150] * 60)
    needles = [needle(f"n{n}", (f"f00{n % 2}.md", 110 + n, 110 + n)) for n in range(8)]
    assert failed(check_gradient(with_needles(subject, needles))) == {
        ("gradient", None): (
            "the 8 needles stand in 2 of 60 files; at random places they would stand in 5 or more;"
            " f001.md alone shows 4 of the 8 needles"
        )
    }


def changed(needle: RegisteredNeedle, path: str) -> RegisteredNeedle:
    edit = Edit(path=path, first=1, last=1, planted=("y",), clean=("x",))
    return needle.model_copy(update={"edits": (edit,)})


def test_letters_held_against_one_ledger_are_not_bunched_in_it() -> None:
    subject = corpus([150] * 60)
    needles = [
        changed(
            needle(f"n{n}", (f"f{n:03}.md", 110, 110), ("f050.md", 30 + n, 30 + n)), f"f{n:03}.md"
        )
        for n in range(6)
    ]
    checked = check_gradient(with_needles(subject, needles))
    assert failed(checked) == {}
    # The other way about they were all planted in one file.
    bunched = [changed(one, "f050.md") for one in needles]
    assert failed(check_gradient(with_needles(subject, bunched))) == {
        ("gradient", None): (
            "the 6 needles stand in 7 of 60 files; at random places they would stand in 8 or more;"
            " f050.md alone shows 6 of the 6 needles"
        )
    }


def test_many_needles_in_one_file_fail_though_the_others_are_spread() -> None:
    subject = corpus([150] * 60)
    files = [0] * 7 + list(range(1, 14))
    needles = [
        needle(f"n{n}", (f"f{file:03}.md", 110 + n, 110 + n)) for n, file in enumerate(files)
    ]
    assert failed(check_gradient(with_needles(subject, needles))) == {
        ("gradient", None): "f000.md alone shows 7 of the 20 needles"
    }


@pytest.mark.parametrize("count", [5, 12])
def test_needles_in_the_first_five_lines_fail(count: int) -> None:
    subject = corpus([100] * 60)
    needles = [needle(f"n{n}", (f"f{n * 4:03}.md", n % 5 + 1, n % 5 + 1)) for n in range(count)]
    reason = failed(check_gradient(with_needles(subject, needles)))["gradient", None]
    assert reason.startswith(
        "the first 10 lines of the files show 100% of the needles; at random places at most"
    )


def test_four_needles_of_a_small_corpus_may_share_two_files_of_twelve() -> None:
    subject = corpus([40] * 12)
    needles = [needle(f"n{n}", (f"f00{n // 2}.md", 9 * n + 2, 9 * n + 2)) for n in range(4)]
    assert failed(check_gradient(with_needles(subject, needles))) == {}
    in_one = [needle(f"n{n}", ("f000.md", 9 * n + 2, 9 * n + 2)) for n in range(4)]
    assert ("gradient", None) in failed(check_gradient(with_needles(subject, in_one)))


def test_short_files_are_no_bunching_in_first_lines() -> None:
    # All stand in the first ten lines, for their files have no more.
    subject = corpus([10] * 30 + [400] * 3)
    needles = [needle(f"n{n}", (f"f{n:03}.md", n % 10 + 1, n % 10 + 1)) for n in range(12)]
    checked = check_gradient(with_needles(subject, needles))
    assert failed(checked) == {}
    assert the_check(checked, "gradient").note == (
        "12 of 33 files show the 12 needles; the first 10 lines of every file (22% of all lines)"
        " 100%, the first 40 lines of every file (28% of all lines) 100%,"
        " the first 100 lines of every file (40% of all lines) 100% of them"
    )


def test_needles_in_short_files_alone_fail_where_most_files_are_long() -> None:
    subject = corpus([10] * 12 + [400] * 48)
    needles = [needle(f"n{n}", (f"f{n:03}.md", n % 10 + 1, n % 10 + 1)) for n in range(12)]
    assert (
        "the first 10 lines"
        in failed(check_gradient(with_needles(subject, needles)))["gradient", None]
    )


def test_needles_in_the_first_lines_of_long_files_fail_where_most_files_are_short() -> None:
    subject = corpus([10] * 48 + [400] * 12)
    needles = [needle(f"n{n}", (f"f{n + 48:03}.md", n % 10 + 1, n % 10 + 1)) for n in range(12)]
    assert (
        "the first 10 lines"
        in failed(check_gradient(with_needles(subject, needles)))["gradient", None]
    )


@pytest.mark.parametrize(
    ("errors", "broken"), [(-5.1, True), (-4.9, False), (4.9, False), (5.1, True)]
)
def test_a_mean_more_than_five_standard_errors_off_is_broken(errors: float, broken: bool) -> None:
    subject = corpus([150] * 60)
    needles = [needle(f"n{n}", (f"f{n:03}.md", 110 + n, 110 + n)) for n in range(8)]
    sound = figures(with_needles(subject, needles))
    half = sound.shares[2]
    # A hundred readings: their mean has a tenth of the deviation of one.
    off = half.model_copy(update={"mean": half.expected + errors * half.deviation / 10})
    shares = (*sound.shares[:2], off, *sound.shares[3:])
    said = list(faults(sound.model_copy(update={"shares": shares})))
    assert list(faults(sound)) == []
    assert bool(said) == broken
    assert all("of the needles, not 50%" in one for one in said)


def test_a_needle_that_reference_files_show_could_be_found_without_reading(
    sixty: Subject,
) -> None:
    checked = check_gradient(with_needles(sixty, [needle("free", ("rules.md", 1, 1))]))
    assert failed(checked) == {
        ("gradient", "free"): "it could be found without reading a file under review"
    }
    assert the_check(checked, "gradient").note == "not measured: see the needles"


def test_a_needle_beyond_the_end_of_its_file_could_never_be_found(sixty: Subject) -> None:
    beyond = needle("late", ("f000.md", LENGTHS[0], LENGTHS[0] + 1))
    assert failed(check_gradient(with_needles(sixty, [beyond]))) == {
        ("gradient", "late"): "reading every file would not show it: f000.md"
    }


def test_the_figures_of_random_readings_are_those_of_all_readings_counted_out() -> None:
    subject = with_needles(
        corpus([20] * 8),
        [
            needle("a", ("f000.md", 11, 11)),
            needle("b", ("f000.md", 15, 16)),
            needle("c", ("f001.md", 12, 12), ("f002.md", 3, 3)),
            needle("d", ("f003.md", 18, 18), ("rules.md", 1, 1)),
        ],
    )
    sets: list[set[int]] = [{0}, {0}, {1, 2}, {3}]
    shares = figures(subject).shares
    assert [(one.share, one.files) for one in shares] == [
        (0.0, 0), (0.25, 2), (0.5, 4), (0.75, 6), (1.0, 8)
    ]  # fmt: skip
    for one in shares:
        readings = [set(read) for read in combinations(range(8), one.files)]
        found = [fmean(own <= read for own in sets) for read in readings]
        assert one.expected == pytest.approx(fmean(found))
        assert one.deviation == pytest.approx(pstdev(found))
        apart: list[set[int]] = [{0}, {4}, {1, 2}, {3}]
        found_apart = [fmean(own <= read for own in apart) for read in readings]
        assert one.deviation_apart == pytest.approx(pstdev(found_apart))
        assert min(found) <= one.least <= one.mean <= one.most <= max(found)


def test_the_figures_of_first_lines_are_those_of_all_places_counted_out() -> None:
    subject = with_needles(
        corpus([20, 5, 60]),
        [
            needle("a", ("f000.md", 9, 10)),
            needle("b", ("f001.md", 2, 2), ("f002.md", 11, 11)),
            needle("c", ("f002.md", 41, 41), ("f002.md", 45, 45)),
        ],
    )
    ten, forty, hundred = figures(subject).heads
    assert (ten.lines, forty.lines, hundred.lines) == (10, 40, 100)
    assert ten.share_of_lines == pytest.approx(25 / 85)
    assert forty.share_of_lines == pytest.approx(65 / 85)
    assert [one.found for one in (ten, forty, hundred)] == pytest.approx([1 / 3, 2 / 3, 1])
    # Two lines have 19 places among 20 lines, and 9 among the first 10; five have 56 and 6 (of 60).
    assert ten.expected == pytest.approx((9 / 19 + 10 / 60 + 6 / 56) / 3)
    assert hundred.expected == pytest.approx(1)


def test_readings_are_drawn_by_the_hash_of_the_planted_corpus(sixty: Subject) -> None:
    needles = [needle(f"n{n}", (f"f{n:03}.md", 2, 2)) for n in range(9)]
    one = with_needles(sixty, needles)
    manifest = one.build.manifest.model_copy(update={"tree": "ab" * 32})
    other = Subject(replace(one.build, manifest=manifest), one.detections)
    assert figures(one) == figures(one)
    assert figures(one).shares[2].mean != figures(other).shares[2].mean
