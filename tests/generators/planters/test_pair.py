from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from pydantic import JsonValue, ValidationError

from authoring.errors import UserError
from generators.planters.pair import Pair, PairParameters
from generators.planting import Aim, Ground, Planted
from tests.generators.planters.conftest import applied

INVOICE = """\
Invoice no. INV-7
To: Ada

Rooms: 3 nights
Total due: EUR 414.20
"""
REPORT = """\
# Expenses of Ada

- INV-7, hotel: EUR 414.20
- INV-70, train: EUR 88.00

Sum: EUR 502.20
"""
OTHER = "# Expenses of Ben\n\n- INV-8, hotel: EUR 9.00\n"
TARGET, PARTNER = PurePosixPath("inv/7.txt"), PurePosixPath("rep/ada.md")
FILES = {TARGET: INVOICE, PARTNER: REPORT, PurePosixPath("rep/ben.md"): OTHER}
KINDS = {path: "invoice" if path.parts[0] == "inv" else "report" for path in FILES}

PARAMETERS: dict[str, JsonValue] = {
    "edit": {"pattern": r"(Total due: EUR )\d+(\.\d\d)", "replacement": r"\g<1>914\2"},
    "partner": {
        "document": "report",
        "key": r"Invoice no\. (INV-\d+)",
        "match": r"\b{key}\b",
    },
    "partner_evidence": r"- {key}, .*",
    "witness": {
        "pattern": r"(- {key}, .*EUR )[\d.]+",
        "replacement": r"\g<1>{stated}",
        "stated": r"EUR ([\d.]+)",
    },
}


def pair(**changes: JsonValue) -> Pair:
    given = dict(PARAMETERS)
    for name, value in changes.items():
        old = given[name]
        merged = isinstance(old, dict) and isinstance(value, dict)
        given[name] = {**old, **value} if merged else value  # type: ignore[dict-item]
    return Pair(PairParameters.model_validate(given))


def plant(planter: Pair, files: dict[PurePosixPath, str] | None = None) -> Planted:
    return planter.plant(Ground(files or FILES, KINDS), Aim(TARGET))


def shown(planted: Planted) -> list[tuple[str, int, int]]:
    return [(span.path, span.first, span.last) for span in planted.evidence]


def test_the_target_is_edited_and_both_files_are_shown() -> None:
    planted = plant(pair())
    assert applied(planted, "inv/7.txt", INVOICE) == INVOICE.replace("414.20", "914.20")
    assert shown(planted) == [("inv/7.txt", 5, 5), ("rep/ada.md", 3, 3)]


def test_the_witnesses_agree_with_each_file_as_it_is_planted() -> None:
    assert plant(pair()).witnesses == {
        "inv/7.txt": {
            "rep/ada.md": REPORT.replace("INV-7, hotel: EUR 414.20", "INV-7, hotel: EUR 914.20")
        },
        "rep/ada.md": {"inv/7.txt": INVOICE},
    }


def test_the_key_of_the_edited_line_comes_before_those_of_the_file() -> None:
    list_of_two = "INV-70 train EUR 88.00\nINV-7 hotel EUR 414.20\n"
    planter = pair(
        edit={"pattern": r"(INV-7 .*EUR )\d+(.*)", "replacement": r"\g<1>9\2"},
        partner={"key": r"(INV-\d+)"},
    )
    planted = plant(planter, FILES | {TARGET: list_of_two})
    assert shown(planted) == [("inv/7.txt", 2, 2), ("rep/ada.md", 3, 3)]
    assert "INV-7, hotel: EUR 9.20" in planted.witnesses["inv/7.txt"]["rep/ada.md"]


def test_a_passage_of_prose_can_be_edited_too() -> None:
    told = "Invoice no. INV-7 is for Ada, who stayed for three\nnights and owes EUR 414.20."
    prose = f"# Rooms\n\n{told}\n"
    planter = pair(
        edit={"planter": "replace-text", "pattern": "EUR [0-9]+", "replacement": "EUR 914"}
    )
    planted = plant(planter, FILES | {TARGET: prose})
    assert shown(planted) == [("inv/7.txt", 3, 4), ("rep/ada.md", 3, 3)]


def test_a_key_is_no_pattern() -> None:
    files = FILES | {
        TARGET: INVOICE.replace("INV-7", "INV.7"),
        PARTNER: REPORT.replace("INV-70", "INV.7"),
    }
    planted = plant(pair(partner={"key": r"Invoice no\. (\S+)"}), files)
    assert shown(planted)[1] == ("rep/ada.md", 4, 4)


@pytest.mark.parametrize(
    ("changes", "files", "message"),
    [
        pytest.param({"partner": {"key": "(XX-1)"}}, {}, "the pattern of the key matches nothing",
                     id="no key"),
        pytest.param({"partner": {"key": "([A-Z][a-z]+):"}}, {}, r"inv/7\.txt: 2 keys: Rooms, To$",
                     id="several keys"),
        pytest.param({"partner": {"document": "reprot"}}, {},
                     "holds no document 'reprot'\n  did you mean 'report'", id="no such kind"),
        pytest.param({"partner": {"match": "no {key}"}}, {}, "0 files report hold the key 'INV-7'$",
                     id="no partner"),
        pytest.param({}, {PurePosixPath("rep/ben.md"): REPORT},
                     r"2 files report hold the key 'INV-7':\n    rep/ada.md, line 3\n    rep/ben",
                     id="two partners"),
        pytest.param({"partner_evidence": "{key}"}, {},
                     r"rep/ada\.md: 0 lines show the defect beside 'INV-7':\n    line 3: - INV-7",
                     id="no line of the partner"),
        pytest.param({"partner_evidence": "- .*"}, {}, "2 lines show the defect",
                     id="two lines of the partner"),
        pytest.param({"witness": {"pattern": "(USD) {key}"}}, {},
                     r"rep/ada\.md: the witness changes nothing", id="no witness"),
        pytest.param({"witness": {"stated": "USD ([0-9]+)"}}, {},
                     r"what is planted states nothing like", id="nothing stated"),
    ],
)  # fmt: skip
def test_what_is_no_pair_is_told(
    changes: dict[str, JsonValue], files: dict[PurePosixPath, str], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        plant(pair(**changes), FILES | files)


@pytest.mark.parametrize(
    "changes",
    [
        {"partner": {"key": "INV"}},
        {"partner": {"match": "({key}"}},
        {"witness": {"stated": "EUR"}},
        {"edit": {"planter": "pair"}},
        {"edit": {"replacement": r"\g<none>"}},
        {"witness": {"replacement": r"\g<2>"}},
    ],
    ids=[
        "key without group",
        "no pattern",
        "stated without group",
        "planter",
        "edit fills no group",
        "witness fills no group",
    ],
)
def test_parameters_that_mean_nothing_are_refused_when_the_spec_is_read(
    changes: dict[str, JsonValue],
) -> None:
    with pytest.raises(ValidationError):
        pair(**changes)
