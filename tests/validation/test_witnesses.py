"""Witnesses: rate and limit in two files, of which neither alone decides anything."""

from __future__ import annotations

from tests.validation.tiny import Plant, failed, line_plant, the_check, tiny_subject
from validation.witnesses import check_witnesses

CLEAN = {
    "a.md": "one\nrate: 4\nthree\nfour\n",
    "b.md": "one\nlimit: 5\nthree\n",
    "c.md": "one\ntwo\nthree\n",
    "rules.md": "one\n",
}
ACROSS = Plant(
    "across", "over-limit", (("a.md", 2, 1, ("rate: 7",)),), (("a.md", 2, 2), ("b.md", 2, 2))
)
SOUND = {"a.md": {"b.md": "one\nlimit: 8\nthree\n"}, "b.md": {"a.md": CLEAN["a.md"]}}


def test_sound_witnesses_pass() -> None:
    checked = check_witnesses(tiny_subject(CLEAN, ACROSS, witnesses={"across": SOUND}))
    assert failed(checked) == {}
    assert [one.code for one in checked.checks] == ["witness-missing", "witness"]


def test_a_needle_in_one_file_needs_no_witness() -> None:
    needle = line_plant("loud", "loud", "c.md", 2, "loud")
    assert check_witnesses(tiny_subject(CLEAN, needle)).checks == ()


def test_a_file_without_a_witness_is_named() -> None:
    half = {"across": {"a.md": SOUND["a.md"]}}
    assert failed(check_witnesses(tiny_subject(CLEAN, ACROSS, witnesses=half))) == {
        ("witness-missing", "across"): "there is no witness for b.md"
    }
    assert failed(check_witnesses(tiny_subject(CLEAN, ACROSS))) == {
        ("witness-missing", "across"): "there is no witness for a.md, b.md"
    }


def test_a_witness_beside_which_the_defect_stands_fails() -> None:
    planted = {"across": SOUND | {"a.md": {"b.md": CLEAN["b.md"]}}}
    checked = check_witnesses(tiny_subject(CLEAN, ACROSS, witnesses=planted))
    assert failed(checked) == {
        ("witness", "across"): (
            "beside the witness for a.md over-limit is found at a.md:2-2, b.md:2-2"
        )
    }
    evidence = the_check(checked, "witness", "across").evidence
    assert [(one.path, one.first) for one in evidence] == [("a.md", 2), ("b.md", 2)]


def test_a_file_that_shows_the_defect_alone_fails_beside_any_partner() -> None:
    alone = Plant(
        "across",
        "over-limit",
        (("a.md", 2, 1, ("rate: 7", "limit: 5")),),
        (("a.md", 2, 2), ("b.md", 2, 2)),
    )
    found = failed(check_witnesses(tiny_subject(CLEAN, alone, witnesses={"across": SOUND})))
    assert found["witness", "across"] == (
        "beside the witness for a.md over-limit is found at a.md:2-2, a.md:3-3"
    )


def test_a_witness_that_holds_another_kind_of_defect_fails() -> None:
    loud = line_plant("loud", "loud", "c.md", 2, "loud")
    other = {"across": SOUND | {"a.md": {"b.md": "loud\nlimit: 8\nthree\n"}}}
    found = failed(check_witnesses(tiny_subject(CLEAN, ACROSS, loud, witnesses=other)))
    assert found["witness", "across"] == "beside the witness for a.md loud is found at b.md:1-1"


def test_rules_are_the_same_in_every_world() -> None:
    other = {"across": SOUND | {"a.md": {"rules.md": "limit: 8\n"}}}
    found = failed(check_witnesses(tiny_subject(CLEAN, ACROSS, witnesses=other)))
    assert found["witness", "across"] == (
        "the witness for a.md puts another text in the place of rules.md"
    )


def test_the_file_itself_is_never_replaced() -> None:
    other = {"across": SOUND | {"a.md": {"a.md": CLEAN["a.md"]}}}
    found = failed(check_witnesses(tiny_subject(CLEAN, ACROSS, witnesses=other)))
    assert found["witness", "across"] == (
        "the witness for a.md puts another text in the place of a.md"
    )


def test_another_needle_in_the_same_file_is_allowed_and_told() -> None:
    # Two lines further up, so that the file as planted is not the file with one needle.
    loud = Plant("loud", "loud", (("a.md", 1, 0, ("loud", "x")),), (("a.md", 1, 1),))
    subject = tiny_subject(CLEAN, ACROSS, loud, witnesses={"across": SOUND})
    checked = check_witnesses(subject)
    assert failed(checked) == {}
    assert the_check(checked, "witness", "across").note == "in the same files stand loud"


def test_what_the_partner_still_says_elsewhere_in_the_planted_file_is_noted() -> None:
    texts = CLEAN | {
        "a.md": "one\nsum INV-1: 781.67\nthree\nin words: 781.67\n",
        "b.md": "one\nINV-1,781.67,3\nthree\n",
    }
    edits = (("a.md", 2, 1, ("sum INV-1: 912.40",)),)
    needle = Plant("apart", "never", edits, (("a.md", 2, 2), ("b.md", 2, 2)))
    sound = {"a.md": {"b.md": "one\n"}, "b.md": {"a.md": texts["a.md"]}}
    noted = check_witnesses(tiny_subject(texts, needle, witnesses={"apart": sound}))
    assert the_check(noted, "witness", "apart").note == (
        "781.67, which an edit replaced, still stands in line 4 of a.md: does this file alone show"
        " the defect?"
    )
    texts["a.md"] = texts["a.md"].replace("in words: 781.67", "in words: 781.68")
    quiet = check_witnesses(tiny_subject(texts, needle, witnesses={"apart": sound}))
    assert the_check(quiet, "witness", "apart").note == ""


def test_a_needle_of_the_same_kind_in_the_same_file_is_allowed_in_its_own_lines() -> None:
    texts = CLEAN | {"c.md": "one\nlimit: 9\nthree\n"}
    # Above every limit but the witness's: found beside c.md, which is clean and has a partner.
    second = Plant(
        "second",
        "over-limit",
        (("a.md", 4, 1, ("rate: 10",)),),
        (("a.md", 4, 4), ("c.md", 2, 2)),
    )
    high = {"a.md": {"b.md": "one\nlimit: 20\nthree\n"}, "b.md": SOUND["b.md"]}
    checked = check_witnesses(tiny_subject(texts, ACROSS, second, witnesses={"across": high}))
    assert ("witness", "across") not in failed(checked)
    # The other way about the line of the first needle would have to be found, and is its own.
    low = {"a.md": {"b.md": "one\nlimit: 6\nthree\n"}, "b.md": SOUND["b.md"]}
    checked = check_witnesses(tiny_subject(texts, ACROSS, second, witnesses={"across": low}))
    assert failed(checked)["witness", "across"] == (
        "beside the witness for a.md over-limit is found at a.md:2-2, b.md:2-2"
    )


def test_natural_needles_of_real_files_stand_in_every_world() -> None:
    texts = CLEAN | {"a.md": "one\nrate: 4\nthree\nrate: 11\n", "c.md": "limit: 9\n"}
    real = tiny_subject(texts, ACROSS, generator="directory", witnesses={"across": SOUND})
    assert failed(check_witnesses(real)) == {}
    made = tiny_subject(texts, ACROSS, witnesses={"across": SOUND})
    assert ("witness", "across") in failed(check_witnesses(made))
