from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from pydantic import JsonValue, ValidationError

from authoring.errors import UserError
from generators.detectors.rules.agreement import Agreement, AgreementParameters
from generators.planters import patterns
from generators.planting import Aim, Ground
from tests.generators.planters.conftest import applied
from tests.generators.planters.test_pair import FILES, KINDS, PARTNER, TARGET, pair

INVOICE: dict[str, JsonValue] = {
    "files": ["inv/*"],
    "key": r"Invoice no\. (INV-\d+)",
    "value": r"Total due: EUR ([\d.]+)",
}
REPORT: dict[str, JsonValue] = {
    "files": ["rep/*"],
    "key": r"(INV-\d+)",
    "value": r"^- .*EUR ([\d.]+)",
}
LEDGER: dict[str, JsonValue] = {
    "files": ["*.csv"],
    "key_column": "invoice",
    "value_column": "amount",
}


def shown(
    files: Mapping[PurePosixPath, str], one: JsonValue, other: JsonValue
) -> list[tuple[str, int]]:
    detector = Agreement(AgreementParameters.model_validate({"one": one, "other": other}))
    facts = {path: detector.extract(path, text) for path, text in files.items()}
    found = detector.decide(facts)
    assert found == detector.decide(dict(reversed(facts.items())))
    assert all(one.first == one.last for one in found)
    return [(str(one.path), one.first) for one in found]


def test_a_pair_is_found_as_it_is_registered_and_neither_file_alone() -> None:
    planted = pair().plant(Ground(FILES, KINDS), Aim(TARGET))
    files = FILES | {TARGET: applied(planted, str(TARGET), FILES[TARGET])}
    registered = [(span.path, span.first) for span in planted.evidence]
    assert shown(files, INVOICE, REPORT) == registered == [("inv/7.txt", 5), ("rep/ada.md", 3)]
    assert shown(files, REPORT, INVOICE) == registered
    assert shown(FILES, INVOICE, REPORT) == []
    for alone in (TARGET, PARTNER):
        assert shown({path: files[path] for path in files if path != alone}, INVOICE, REPORT) == []
    for file, partners in planted.witnesses.items():
        varied = {PurePosixPath(path): text for path, text in partners.items()}
        assert shown({**files, **varied}, INVOICE, REPORT) == [], file


def test_columns_of_a_table_agree_by_number() -> None:
    table = "Paid\ninvoice,who,amount\nINV-8,Ben,1.00\nINV-7,Ada,{}\nINV-9,,2\n"
    ledger = PurePosixPath("ledger.csv")
    for amount in ("414.20", "414.2", '"414.20"'):
        assert shown({**FILES, ledger: table.format(amount)}, INVOICE, LEDGER) == []
    expected = [("inv/7.txt", 5), ("ledger.csv", 4)]
    assert shown({**FILES, ledger: table.format("414.21")}, INVOICE, LEDGER) == expected
    assert shown({**FILES, ledger: "nothing,here\n1,2\n"}, INVOICE, LEDGER) == []


def test_the_key_of_a_line_goes_before_that_of_its_file() -> None:
    files = {PurePosixPath("rep/a.md"): "INV-1\n- INV-2 EUR 5\n"}
    bill = {PurePosixPath("inv/2.txt"): "Invoice no. INV-2\nTotal due: EUR 6\n"}
    assert shown(files | bill, INVOICE, REPORT) == [("inv/2.txt", 2), ("rep/a.md", 2)]
    # With two keys in the file and none in the line nothing is said of either.
    unsaid = {PurePosixPath("rep/a.md"): "INV-1, INV-2\n- EUR 5\n"}
    assert shown(unsaid | bill, INVOICE, REPORT) == []


def test_a_file_does_not_disagree_with_itself() -> None:
    text = "Invoice no. INV-7\nTotal due: EUR 1\n- INV-7 EUR 2\n"
    side: dict[str, JsonValue] = {**INVOICE, "files": ["**"]}
    assert shown({PurePosixPath("a.md"): text}, side, {**REPORT, "files": ["**"]}) == []


def test_who_agrees_with_some_and_not_with_others_is_found() -> None:
    said = {"a": ["1"], "b": ["1.0", "2"], "c": ["1"]}
    files = {
        PurePosixPath(f"{name}.md"): "".join(f"INV-7 EUR {one}\n" for one in values)
        for name, values in said.items()
    }
    side: dict[str, JsonValue] = {"key": r"(INV-\d+)", "value": r"EUR (.*)"}
    assert shown(files, side, side) == [("a.md", 1), ("b.md", 2), ("c.md", 1)]


def test_many_statements_of_one_thing_are_not_compared_in_pairs() -> None:
    many = range(20_000)
    files = {
        PurePosixPath("inv/1"): "".join(f"Total due: EUR {n} Invoice no. INV-7\n" for n in many),
        PurePosixPath("rep/1"): "".join(f"- INV-7 EUR {n}\n" for n in many),
    }
    detector = Agreement(AgreementParameters.model_validate({"one": INVOICE, "other": REPORT}))
    facts = {path: detector.extract(path, text) for path, text in files.items()}
    with patterns.within_time("a decision", 10):
        assert len(detector.decide(facts)) == 2 * len(many)


ENDLESS = "((?:a|aa)+b)"
SLOW: dict[str, dict[str, JsonValue]] = {
    "key": {"key": ENDLESS, "value": "(a)"},
    "value": {"key": "(x)", "value": ENDLESS},
}


@pytest.mark.parametrize("side", SLOW.values(), ids=SLOW)
def test_the_slow_one_of_two_patterns_is_told(
    side: dict[str, JsonValue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    with pytest.raises(UserError, match=r"the pattern '\(\(\?:a\|aa\)\+b\)' takes longer"):
        shown({PurePosixPath("f"): "a" * 200}, side, LEDGER)


WRONG: dict[str, dict[str, JsonValue]] = {
    "half of the patterns": {"key": "(a)"},
    "half of each": {"key": "(a)", "value_column": "b"},
    "both": {"key": "(a)", "value": "(b)", "key_column": "a", "value_column": "b"},
    "nothing": {},
}


@pytest.mark.parametrize("side", WRONG.values(), ids=WRONG)
def test_a_side_is_told_in_one_way(side: dict[str, JsonValue]) -> None:
    with pytest.raises(ValidationError, match="give either key and value"):
        shown({}, side, LEDGER)


def test_a_pattern_without_a_group_is_refused() -> None:
    with pytest.raises(ValidationError, match="has no group"):
        shown({}, {**INVOICE, "value": "EUR"}, LEDGER)
