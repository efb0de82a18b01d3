"""Subsets of the review files: what may be found in each, and which ones are tried."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.validation.tiny import (
    Plant,
    failed,
    line_plant,
    the_check,
    tiny_subject,
    with_evidence,
)
from validation.subject import Subject
from validation.subsets import CODES, LITERAL, check_subsets, separating_groups

CLEAN = {
    "a.md": "one\nrate: 4\nthree\n",
    "b.md": "one\nlimit: 5\nthree\n",
    "c.md": "one\ntwo\nthree\n",
    "d.md": "one\ntwo\nthree\n",
    "rules.md": "forbidden: swim\n",
}
ACROSS = Plant(
    "across", "over-limit", (("a.md", 2, 1, ("rate: 7",)),), (("a.md", 2, 2), ("b.md", 2, 2))
)
NEVER = line_plant("never-paid", "never", "c.md", 2, "never")
SWIM = line_plant("swim", "forbidden", "d.md", 2, "swim")


def test_sound_needles_pass_in_every_subset() -> None:
    checked = check_subsets(tiny_subject(CLEAN, ACROSS, NEVER, SWIM))
    assert failed(checked) == {}
    names = ("across", "never-paid", "swim", None)
    assert [(one.code, one.needle) for one in checked.checks] == [
        (code, name) for code in CODES for name in names
    ]


def test_a_needle_found_without_a_file_that_shows_it_fails() -> None:
    wide = with_evidence(tiny_subject(CLEAN, NEVER), "never-paid", ("c.md", 2, 2), ("d.md", 2, 2))
    found = failed(check_subsets(wide))
    # It is never whole: the detector does not find the other file's line.
    assert found["single-file", "never-paid"] == (
        "only c.md: it is found, in part of its files, at c.md:2-2"
    )
    assert (
        "without d.md: it is found, in part of its files, at c.md:2-2"
        in (found["leave-one-out", "never-paid"])
    )
    assert ("random-subset", "never-paid") in found


def test_a_needle_that_needs_a_file_its_registry_does_not_name_fails() -> None:
    narrow = with_evidence(tiny_subject(CLEAN, ACROSS), "across", ("a.md", 2, 2))
    found = failed(check_subsets(narrow))
    assert found["single-file", "across"] == "only a.md: it is not found at a.md:2-2"
    assert found["leave-one-out", "across"] == "without b.md: it is not found at a.md:2-2"
    # With both files in, the line that nobody registered is found.
    assert found["leave-one-out", None] == (
        "without c.md: over-limit found at b.md:2-2; without d.md: over-limit found at b.md:2-2"
    )


def test_a_detector_that_takes_a_missing_file_for_a_defect_fails() -> None:
    texts = CLEAN | {"c.md": "one\ndefines: x\nthree\n", "d.md": "one\nuses: x\nthree\n"}
    needle = line_plant("undefined", "undefined", "a.md", 3, "uses: y")
    found = failed(check_subsets(tiny_subject(texts, needle)))
    assert found["leave-one-out", None] == "without c.md: undefined found at d.md:2-2"
    assert found["single-file", None] == "only d.md: undefined found at d.md:2-2"
    assert found["random-subset", None].startswith("subset ")


def test_a_defect_that_only_small_subsets_show_fails_there() -> None:
    texts = CLEAN | {"a.md": "one\nlate\nthree\n"}
    needle = line_plant("late", "last-word", "d.md", 2, "late")
    found = failed(check_subsets(tiny_subject(texts, needle)))
    # Whichever one file is left out of four, a.md is not the last one.
    assert ("leave-one-out", None) not in found
    assert found["single-file", None] == "only a.md: last-word found at a.md:2-2"
    assert "last-word found at a.md:2-2" in found["random-subset", None]


def test_reference_files_stay_in_every_subset() -> None:
    texts = {path: text for path, text in CLEAN.items() if path != "rules.md"}
    without_rules = tiny_subject(texts, SWIM)
    assert the_check(check_subsets(without_rules), "single-file", "swim").reason == (
        "only d.md: it is not found at d.md:2-2"
    )


def test_natural_needles_of_real_files_come_and_go_with_their_files() -> None:
    texts = CLEAN | {"a.md": "never\ntwo\nthree\n", "c.md": "one\ntwo\nthree\nnever\n"}
    longer = Plant("never-paid", "never", (("c.md", 2, 1, ("x", "never")),), (("c.md", 3, 3),))
    real = tiny_subject(texts, longer, generator="directory")
    assert failed(check_subsets(real)) == {}
    assert set(failed(check_subsets(tiny_subject(texts, longer)))) == {
        (code, None) for code in CODES
    }


def random_reasons(subject: Subject) -> str:
    return failed(check_subsets(subject))["random-subset", "never-paid"]


def test_the_random_subsets_follow_from_the_planted_corpus() -> None:
    wide = with_evidence(tiny_subject(CLEAN, NEVER), "never-paid", ("c.md", 2, 2), ("d.md", 2, 2))
    manifest = wide.build.manifest.model_copy(update={"tree": "ab" * 32})
    other = Subject(replace(wide.build, manifest=manifest), wide.detections)
    assert random_reasons(wide) == random_reasons(wide)
    assert random_reasons(wide) != random_reasons(other)


def test_a_corpus_of_one_file_under_review_has_no_random_subset() -> None:
    texts = {"c.md": CLEAN["c.md"], "rules.md": CLEAN["rules.md"]}
    assert failed(check_subsets(tiny_subject(texts, NEVER))) == {}


def test_a_reason_tells_of_three_subsets_and_counts_the_others() -> None:
    texts = {f"{name}.md": "one\ntwo\nthree\n" for name in "abcdef"}
    wrong = with_evidence(tiny_subject(texts, NEVER), "never-paid", ("c.md", 3, 3))
    reason = failed(check_subsets(wrong))["leave-one-out", "never-paid"]
    assert reason == (
        "without a.md: it is not found at c.md:3-3; without b.md: it is not found at c.md:3-3;"
        " without d.md: it is not found at c.md:3-3; and in 2 more subsets"
    )


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 60, 256, 257, 1246])
def test_for_any_two_files_one_group_holds_only_the_first(count: int) -> None:
    paths = [f"{n}.md" for n in range(count)]
    groups = separating_groups(paths)
    places = {path: {n for n, group in enumerate(groups) if path in group} for path in paths}
    assert all(places.values())
    # Where all files are in equally many groups, any two that differ have one of their own each.
    assert len({len(place) for place in places.values()}) <= 1
    assert len({frozenset(place) for place in places.values()}) == count
    assert len(groups) <= 48


@pytest.mark.parametrize("present", ["f000.md", "f129.md", "f130.md", "f199.md"])
def test_in_a_large_corpus_a_defect_shown_by_one_file_missing_is_seen(present: str) -> None:
    texts = {f"f{n:03}.md": "one\ntwo\nthree\n" for n in range(LITERAL + 72)}
    texts["f128.md"] = "defines: x\n"
    texts[present] = "uses: x\n"
    needle = line_plant("undefined", "undefined", "f064.md", 3, "uses: y")
    found = failed(check_subsets(tiny_subject(texts, needle), count=1))
    assert f"undefined found at {present}:1-1" in found["leave-one-out", None]


def test_in_a_large_corpus_every_file_that_shows_a_needle_is_left_out_alone() -> None:
    texts = {f"f{n:03}.md": "one\ntwo\nthree\n" for n in range(LITERAL + 72)}
    needle = line_plant("never-paid", "never", "f130.md", 2, "never")
    wide = with_evidence(
        tiny_subject(texts, needle), "never-paid", ("f130.md", 2, 2), ("f131.md", 2, 2)
    )
    assert (
        "without f131.md: it is found, in part of its files, at f130.md:2-2"
        in (failed(check_subsets(wide, count=1))["leave-one-out", "never-paid"])
    )
