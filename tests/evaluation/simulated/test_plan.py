"""What reviewers set out to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.simulated.assignment import Assignment, Filling, fill
from evaluation.simulated.calls import PARALLEL, PlannedCall
from evaluation.simulated.hands import Call, Hands
from evaluation.simulated.plan import make_plan
from evaluation.simulated.wordings import load_wordings

Assign = Callable[..., Assignment]


def calls_of(run: Assignment) -> list[PlannedCall]:
    plans = make_plan(run, load_wordings())
    return [call for plan in plans for turn in plan.turns for call in turn]


def test_models_of_one_seed_read_the_same_lines_and_another_seed_reads_others(
    assign: Assign,
) -> None:
    claims = [call.asked for call in calls_of(assign("sim/partial-claims", seed=3))]
    silent = [call.asked for call in calls_of(assign("sim/partial-silent", seed=3))]
    other = [call.asked for call in calls_of(assign("sim/partial-claims", seed=4))]
    assert claims == silent
    assert claims != other


@pytest.mark.parametrize("seed", range(20))
def test_a_partial_model_reads_half_of_its_files_by_ranges_inside_the_file(
    assign: Assign, texts: dict[str, str], seed: int
) -> None:
    asked = [call.asked for call in calls_of(assign("sim/partial-claims", seed=seed))]
    papers = [a for a in asked if a.path.startswith("papers/")]
    in_part = [a for a in papers if a.first is not None]
    assert len({a.path for a in papers}) == 6
    assert len({a.path for a in in_part}) == 3
    assert sorted(sum(a.path == path for a in in_part) for path in {a.path for a in in_part}) == [
        1,
        1,
        2,
    ]
    for a in in_part:
        assert a.first is not None
        assert a.count is not None
        length = len(texts[a.path].rstrip("\n").split("\n"))
        assert 5 <= a.count < length
        assert 1 <= a.first <= a.first + a.count - 1 <= length


def test_several_calls_go_out_in_one_turn_but_never_more_than_four(assign: Assign) -> None:
    sizes = [
        len(turn)
        for seed in range(10)
        for plan in make_plan(assign("sim/oracle", seed=seed), load_wordings())
        for turn in plan.turns
    ]
    assert PARALLEL == 4
    assert set(sizes) == {1, 2, 3, 4}


def test_half_of_the_reading_goes_to_a_subagent_where_there_is_one(
    assign: Assign, hands_alone: Hands
) -> None:
    main, sub = make_plan(assign("sim/delegates"), load_wordings())
    (alone,) = make_plan(assign("sim/delegates", hands=hands_alone), load_wordings())

    def papers(turns: tuple[tuple[PlannedCall, ...], ...]) -> list[str]:
        asked = [call.asked.path for turn in turns for call in turn]
        return [path for path in asked if path.startswith("papers/")]

    assert papers(main.turns) == [f"papers/{name}.md" for name in "abcde"]
    assert papers(sub.turns) == [f"papers/{name}.md" for name in "fghij"]
    assert papers(alone.turns) == [f"papers/{name}.md" for name in "abcdefghij"]
    assert all(f"- {path}\n" in sub.prompt + "\n" for path in sub.files)


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        ("/home/dev/review", "a/b.md", "/home/dev/review/a/b.md"),
        ("/home/dev/review/", "a/b.md", "/home/dev/review/a/b.md"),
        ("/home/dev/review", "", "/home/dev/review"),
        ("", "a/b.md", "a/b.md"),
        (".", "a/b.md", "a/b.md"),
        ("", "", "."),
        (".", "", "."),
    ],
)
def test_paths_are_written_as_the_agent_takes_them(
    assign: Assign, folder: str, path: str, expected: str
) -> None:
    assert assign("sim/oracle", folder=folder).locate(path) == expected


def test_what_is_filled_in_is_not_filled_in_again() -> None:
    call = Call("t", {"cmd": "ls {path}", "n": "{first}", "deep": [{"p": "{prompt}"}], "x": 1})
    filled = fill(call, Filling(path="{prompt}", prompt="{path}", first=9))
    assert filled == {"cmd": "ls {prompt}", "n": 9, "deep": [{"p": "{path}"}], "x": 1}


def test_a_file_without_lines_is_left_out(assign: Assign, texts: dict[str, str]) -> None:
    texts["papers/d.md"] = ""
    paths = {call.asked.path for call in calls_of(assign("sim/oracle"))}
    assert "papers/d.md" not in paths
    assert Path("papers/c.md").as_posix() in paths


def test_a_file_longer_than_one_read_is_read_by_ranges_that_follow_each_other(
    assign: Assign, texts: dict[str, str], hands: Hands
) -> None:
    most = 400
    run = assign("sim/oracle", hands=replace(hands, most=most))
    for path, text in texts.items():
        lines = text.removesuffix("\n").split("\n")
        asked = [call.asked for call in calls_of(run) if call.asked.path == path]
        if len(text.encode()) < most:
            assert [a.first for a in asked] == [None]
            continue
        read = [n for a in asked if a.first and a.count for n in range(a.first, a.first + a.count)]
        assert read == list(range(1, len(lines) + 1))
        assert all(
            len("\n".join(lines[a.first - 1 : a.first - 1 + a.count]).encode()) < most
            for a in asked
            if a.first and a.count
        )


def test_a_skimming_model_asks_for_the_first_forty_lines_and_shorter_files_whole(
    assign: Assign, texts: dict[str, str]
) -> None:
    asked = [call.asked for call in calls_of(assign("sim/skim-claims")) if call.asked.path]
    assert {a.path for a in asked} == texts.keys()
    for a in asked:
        length = len(texts[a.path].rstrip("\n").split("\n"))
        whole = length <= 40 or not a.path.startswith("papers/")
        assert (a.first, a.count) == ((None, None) if whole else (1, 40))


def test_the_first_lines_are_read_by_ranges_where_one_read_shows_less(
    assign: Assign, hands: Hands
) -> None:
    run = assign("sim/skim-claims", hands=replace(hands, most=400))
    asked = [call.asked for call in calls_of(run) if call.asked.path == "papers/j.md"]
    read = [n for a in asked if a.first and a.count for n in range(a.first, a.first + a.count)]
    assert len(asked) > 1
    assert read == list(range(1, 41))


def test_a_custom_model_reads_its_share_and_another_seed_draws_other_files(
    assign: Assign,
) -> None:
    def papers(name: str, seed: int = 7) -> set[str]:
        asked = (call.asked for call in calls_of(assign(name, seed=seed)))
        return {a.path for a in asked if a.path.startswith("papers/")}

    half = papers("sim/custom?share=0.5")
    assert len(half) == 5
    assert papers("sim/custom?share=0.5&lines=3&claim=silent") == half
    assert papers("sim/custom?share=0.5&seed=1") != half
    assert papers("sim/custom?share=0.5", seed=8) != half
    assert papers("sim/custom?share=0.04") == set()
