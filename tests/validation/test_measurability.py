"""Measurability, on files of a few lines; places and shares counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from generators.registry import RegisteredNeedle, Span
from tests.validation.made_builds import made_build, made_needle, made_subject
from validation.check import Check, Checked
from validation.measurability import CODES, LineFigures, check_decodable, measurability

CLIP = 2000


def lines(name: str, count: int) -> list[str]:
    return [f"{name} holds line number {number}" for number in range(1, count + 1)]


def text(*of: str) -> str:
    return "".join(f"{line}\n" for line in of)


BERTH = lines("berth", 30)
CRANE = lines("crane", 30)


def sound() -> dict[str, str]:
    return {"berth.md": text(*BERTH), "crane.md": text(*CRANE), "rules.md": text("Pay in 30 days.")}


def check(checked: Checked, code: str) -> Check:
    (one,) = [one for one in checked.checks if one.code == code]
    return one


def failed(checked: Checked) -> list[str]:
    return [one.code for one in checked.checks if not one.passed]


def figures(checked: Checked) -> LineFigures:
    assert isinstance(checked.figures, LineFigures)
    return checked.figures


def measured(
    texts: dict[str, str], *needles: RegisteredNeedle, generator: str = "contracts"
) -> Checked:
    return measurability(made_subject(texts, *needles, generator=generator), clip=CLIP)


def test_a_sound_corpus_passes_every_check() -> None:
    checked = measured(sound(), made_needle("berth.md", 9))
    assert failed(checked) == []
    assert {one.code for one in checked.checks} == set(CODES) - {"not-decodable"}


def test_a_head_without_a_line_of_its_own_fails() -> None:
    head = ["Port of Vigo", "", "***", "Papers", "Office 4"]
    texts = sound() | {"a.md": text(*head, *lines("a", 4)), "b.md": text(*head, *lines("b", 4))}
    checked = measured(texts)
    assert failed(checked) == ["file-head-not-unique"]
    assert check(checked, "file-head-not-unique").reason == (
        "no line of their own at the head: a.md:1-5, b.md:1-5"
    )


def test_a_unique_fifth_line_is_enough_for_a_head() -> None:
    head = ["Port of Vigo", "", "***", "Papers"]
    texts = sound() | {"a.md": text(*head, *lines("a", 4)), "b.md": text(*head, *lines("b", 4))}
    assert failed(measured(texts)) == []


def test_a_short_line_is_no_line_of_its_own() -> None:
    texts = sound() | {"a.md": text("+++", "a 1", "b 2", "c 3", "d 4", *lines("a", 4))}
    assert failed(measured(texts)) == ["file-head-not-unique"]


@pytest.mark.parametrize(
    ("common", "fails"), [pytest.param(19, False, id="19"), pytest.param(20, True, id="20")]
)
def test_twenty_lines_without_one_of_their_own_fail(common: int, fails: bool) -> None:
    shared = [f"clause {number} of all papers" for number in range(common)]
    texts = sound() | {
        "a.md": text("a begins here", *shared, "a ends here"),
        "b.md": text("b begins here", *shared, "b ends here"),
    }
    checked = measured(texts)
    assert failed(checked) == (["window-not-unique"] if fails else [])
    if fails:
        assert check(checked, "window-not-unique").evidence == (
            Span(path="a.md", first=2, last=21),
            Span(path="b.md", first=2, last=21),
        )


def test_a_run_without_a_line_of_its_own_at_the_end_of_a_file_fails() -> None:
    shared = [f"clause {number} of all papers" for number in range(20)]
    texts = sound() | {"a.md": text("a begins here", *shared), "b.md": text("b begins", *shared)}
    assert failed(measured(texts)) == ["window-not-unique"]


def test_a_short_file_that_is_a_copy_fails_as_a_whole() -> None:
    texts = sound() | {"a.md": text("Port of Vigo"), "b.md": text("Port of Vigo")}
    checked = measured(texts)
    assert failed(checked) == ["file-head-not-unique", "window-not-unique"]
    assert check(checked, "window-not-unique").evidence[0] == Span(path="a.md", first=1, last=1)


def test_reference_files_are_held_to_the_same() -> None:
    texts = sound() | {"rules.md": BERTH[3] + "\n"}
    assert failed(measured(texts)) == ["file-head-not-unique", "window-not-unique"]


def test_many_places_are_counted_and_the_first_are_named() -> None:
    texts = sound() | {f"{name}.md": text("Port of Vigo") for name in "abcdef"}
    assert check(measured(texts), "file-head-not-unique").reason == (
        "no line of their own at the head: a.md:1, b.md:1, c.md:1 and 3 more"
    )


def test_an_evidence_line_that_stands_elsewhere_fails_with_the_other_place() -> None:
    texts = sound() | {"crane.md": text(*CRANE, BERTH[8])}
    one = check(measured(texts, made_needle("berth.md", 9)), "evidence-not-unique")
    assert one.needle == "late-payment"
    assert one.reason == (
        "evidence that cannot be told from other lines: berth.md:9"
        " (the first stands also at crane.md:31)"
    )


def test_blank_and_short_lines_inside_evidence_are_exempt() -> None:
    texts = sound() | {"berth.md": text(*BERTH[:9], "", "---", *BERTH[9:])}
    assert failed(measured(texts, made_needle("berth.md", 9, 12))) == []


def test_evidence_of_short_lines_alone_fails() -> None:
    texts = sound() | {"berth.md": text(*BERTH[:9], "9 kg", *BERTH[9:])}
    one = check(measured(texts, made_needle("berth.md", 10)), "evidence-not-unique")
    assert one.reason == (
        "evidence that cannot be told from other lines: berth.md:10 (too few letters or digits)"
    )


@pytest.mark.parametrize(
    ("length", "fails"), [pytest.param(400, False, id="400"), pytest.param(401, True, id="401")]
)
def test_evidence_of_more_than_400_characters_fails(length: int, fails: bool) -> None:
    texts = sound() | {"berth.md": text(*BERTH[:8], "x" * length, *BERTH[9:])}
    checked = measured(texts, made_needle("berth.md", 9))
    assert failed(checked) == (["evidence-too-long"] if fails else [])


@pytest.mark.parametrize(
    ("length", "fails"), [pytest.param(2000, False, id="2000"), pytest.param(2001, True, id="2001")]
)
def test_a_line_longer_than_tools_show_fails(length: int, fails: bool) -> None:
    texts = sound() | {"crane.md": text(*CRANE[:8], "x" * length, *CRANE[9:])}
    checked = measured(texts)
    assert failed(checked) == (["line-over-clip"] if fails else [])
    if fails:
        assert check(checked, "line-over-clip").reason == (
            "longer than the 2000 characters that tools show: crane.md:9"
        )


def test_what_an_owner_of_files_cannot_change_is_a_note_over_a_directory() -> None:
    licence = [f"clause {number} of the licence" for number in range(20)]
    texts = sound() | {
        "a.py": text(*licence, *lines("a", 4), "x" * 2001),
        "b.py": text(*licence, *lines("b", 4)),
    }
    checked = measured(texts, made_needle("a.py", 22), generator="directory")
    assert failed(checked) == []
    assert check(checked, "file-head-not-unique").note == (
        "no line of their own at the head: a.py:1-5, b.py:1-5"
    )
    assert check(checked, "window-not-unique").note != ""
    assert check(checked, "line-over-clip").note != ""


def test_evidence_that_stands_elsewhere_fails_over_a_directory_too() -> None:
    texts = sound() | {"crane.md": text(*CRANE, BERTH[8])}
    checked = measured(texts, made_needle("berth.md", 9), generator="directory")
    assert failed(checked) == ["evidence-not-unique"]


def test_shares_are_over_the_review_files() -> None:
    shared = [f"clause {number} of all papers" for number in range(20)]
    texts = {
        # 26 lines: 2 blank, 20 shared in one run, 4 of its own.
        "a.md": text(*lines("a", 4), "", *shared, ""),
        # 24 lines: 20 shared, 4 of its own.
        "b.md": text(*lines("b", 4), *shared),
        "rules.md": text("", "Pay in 30 days."),
    }
    found = figures(measured(texts))
    assert found.lines == 50
    assert found.blank == 2 / 50
    assert found.repeated == 40 / 48
    assert found.undecided_alone == 42 / 50
    assert found.undecided_in_windows == 42 / 50  # a: 22 in one run; b: 20
    assert (found.widest_file, found.widest_share) == ("a.md", 22 / 26)


def test_a_sound_corpus_is_decided_in_windows() -> None:
    found = figures(measured(sound()))
    assert (found.undecided_in_windows, found.widest_file, found.widest_share) == (0.0, None, 0.0)


def test_line_ends_and_control_characters_are_noted_by_file() -> None:
    texts = sound() | {
        "a.md": text(*lines("a", 4)).replace("\n", "\r\n"),
        "b.md": text(*lines("b", 4)).rstrip("\n"),
        "c.md": text(*lines("c\x0c", 4)),
    }
    checked = measured(texts)
    found = figures(checked)
    assert failed(checked) == []
    assert (found.cr_lf, found.no_final_lf, found.control_characters) == (
        ("a.md",),
        ("b.md",),
        ("c.md",),
    )
    note = check(checked, "line-notes").note
    assert "lines that end in CR LF in a.md" in note
    assert "no LF at the end in b.md" in note
    assert "control characters in c.md" in note


def test_bytes_that_are_no_text_are_named_before_a_build_is_read(tmp_path: Path) -> None:
    build = made_build(sound(), root=tmp_path)
    build.paths.corpus.mkdir()
    for path, content in sound().items():
        build.paths.file(path).write_text(content)
    assert check_decodable(build.paths, build.manifest).passed
    build.paths.file("berth.md").write_bytes("Café\n".encode("latin-1"))
    one = check_decodable(build.paths, build.manifest)
    assert (one.passed, one.reason) == (False, "berth.md: byte 3 is not UTF-8")
