from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from pydantic import JsonValue, ValidationError

from authoring.errors import UserError
from generators.detectors.rules.catalogue import RULES
from generators.planters import patterns
from generators.planters.remove_line import RemoveLine, RemoveLineParameters
from generators.planters.remove_section import RemoveSection, RemoveSectionParameters
from tests.generators.planters.conftest import Outcome, plant

PATH = PurePosixPath("a.txt")
LOG = """\
01 start of db
02 copied
03 done with db
04 start of mail
05 done with mail
06 bye
"""
LETTER = """\
# Letter

## 1. Greeting

Dear Ada.

## 2. Contact

Ask Ben.

### 2.1 Else

Ask Cleo.

## 3. End

Yours.
"""


def shown(rule: str, text: str, **given: JsonValue) -> list[tuple[int, int]]:
    kind = RULES[rule].kind
    detector = RULES[rule].make(kind.parameters.model_validate(given))
    return [(one.first, one.last) for one in detector.decide({PATH: detector.extract(PATH, text)})]


def without_line(pattern: str, text: str = LOG) -> Outcome:
    return plant(RemoveLine(RemoveLineParameters(pattern=pattern)), text)


def without_section(heading: str, text: str = LETTER, *, renumber: bool = False) -> Outcome:
    planter = RemoveSection(RemoveSectionParameters(heading=heading, renumber=renumber))
    return plant(planter, text)


LINES: dict[str, tuple[str, dict[str, JsonValue], list[tuple[int, int]]]] = {
    "after the line before it": (
        "0. done with mail", {"pattern": "done", "after": "start"}, [(4, 5)],
    ),
    "before the line after it": (
        "0. start of mail", {"pattern": "start", "before": "done"}, [(3, 4)],
    ),
    "the first of a file": ("01 .*", {"pattern": "start of db", "before": "^02"}, [(1, 1)]),
    "the last of a file": ("06 .*", {"pattern": "bye"}, [(5, 5)]),
    "after the last line": ("06 .*", {"pattern": "bye", "after": "mail$"}, [(5, 5)]),
}  # fmt: skip


@pytest.mark.parametrize(("gone", "given", "lines"), LINES.values(), ids=LINES)
@pytest.mark.parametrize("text", [LOG, LOG.removesuffix("\n")], ids=["LF at the end", "none"])
def test_a_line_that_is_gone_is_found_where_it_is_registered(
    gone: str, given: dict[str, JsonValue], lines: list[tuple[int, int]], text: str
) -> None:
    if given == LINES["after the last line"][1]:
        # Each mark has its own stretch: the first one ends where the second begins.
        text = text.replace("05 done with mail", "05 done with mail,")
        given = {**given, "after": "mail,$"}
    outcome = without_line(gone, text)
    assert shown("missing-line", outcome.text, **given) == outcome.shown == lines
    assert shown("missing-line", text, **given) == []


def test_every_mark_wants_a_line_of_its_own() -> None:
    text = "start\ndone\nstart\nstart\ndone\n"
    assert shown("missing-line", text, pattern="done", after="start") == [(3, 4)]
    assert shown("missing-line", "start\ndone\ndone\n", pattern="start", before="done") == [(2, 3)]


def test_a_file_without_the_mark_lacks_nothing() -> None:
    assert shown("missing-line", LOG, pattern="lost", after="never") == []
    assert shown("missing-line", "", pattern="lost") == []


SECTIONS: dict[str, tuple[str, dict[str, JsonValue], list[tuple[int, int]]]] = {
    "before the one that follows": ("Contact", {"before": ["Annex", "End"]}, [(6, 8)]),
    "after the one before it": ("Contact", {"after": "GREETING"}, [(6, 8)]),
    "the last one": ("End", {}, [(12, 13)]),
    "after the last one": ("End", {"after": "Contact"}, [(12, 13)]),
    "one inside of another": ("Else", {"before": "End"}, [(10, 12)]),
}


@pytest.mark.parametrize(("gone", "given", "lines"), SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize("text", [LETTER, LETTER.rstrip(), LETTER + "\n\n"], ids=["LF", "no", "3"])
@pytest.mark.parametrize("renumber", [False, True])
def test_a_section_that_is_gone_is_found_where_it_is_registered(
    gone: str, given: dict[str, JsonValue], lines: list[tuple[int, int]], text: str, renumber: bool
) -> None:
    outcome = without_section(gone, text, renumber=renumber)
    given = {**given, "heading": ["No such", gone.lower()]}
    assert shown("missing-section", outcome.text, **given) == outcome.shown == lines
    assert shown("missing-section", text, **given) == []
    assert shown("missing-section", outcome.text, files=["*.md"], **given) == []


def test_the_evidence_ends_where_the_file_does() -> None:
    text = LETTER.removesuffix("\n\nYours.\n")
    assert text.endswith("## 3. End")
    outcome = without_section("Contact", text)
    found = shown("missing-section", outcome.text, heading="Contact", before="End")
    assert found == outcome.shown == [(6, 7)]


def test_where_no_neighbour_stands_a_section_is_missing_at_the_end() -> None:
    assert shown("missing-section", LETTER, heading="Annex", after="Costs") == [(16, 17)]
    assert shown("missing-section", "one line\n", heading="Annex") == [(1, 1)]
    assert shown("missing-section", "\n\n", heading="Annex") == []


ENDLESS = "(?:a|aa)+b"


@pytest.mark.parametrize("side", ["after", "before"])
def test_a_mark_that_takes_too_long_is_told(side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    with pytest.raises(UserError, match=r"the pattern '\(\?:a\|aa\)\+b' takes longer"):
        shown("missing-line", "a" * 200, pattern="x", **{side: ENDLESS})


@pytest.mark.parametrize("rule", ["missing-line", "missing-section"])
def test_a_place_has_one_side(rule: str) -> None:
    key = "pattern" if rule == "missing-line" else "heading"
    with pytest.raises(ValidationError, match="give after or before, not both"):
        shown(rule, LOG, **{key: "a", "after": "b", "before": "c"})
