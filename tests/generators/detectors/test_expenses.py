from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from generators.detectors.expenses.kinds import EXPENSE_KINDS

DESK: Mapping[str, str] = yaml.safe_load(
    (Path(__file__).parents[1] / "expenses" / "desk.yaml").read_text(encoding="utf-8")
)
LYON, LEEDS = "reports/er-24-0101.md", "reports/er-24-0102.md"
BEN, ADA = "reports/er-24-0103.md", "reports/er-24-0104.md"
MAIL, HOTEL, MEAL = "approvals/er-24-0101.eml", "invoices/hotel.json", "invoices/meal.json"
CARDS = "cards/2024-03-sales.csv"


def found(kind: str, texts: Mapping[str, str]) -> list[tuple[str, int, int]]:
    detector: Any = EXPENSE_KINDS[kind].make()
    facts = {
        PurePosixPath(path): detector.extract(PurePosixPath(path), text)
        for path, text in texts.items()
    }
    return [(str(hit.path), hit.first, hit.last) for hit in detector.decide(facts)]


def changed(path: str, old: str, new: str, texts: Mapping[str, str] = DESK) -> dict[str, str]:
    assert texts[path].count(old) == 1, old
    return {**texts, path: texts[path].replace(old, new)}


def at(texts: Mapping[str, str], path: str, snippet: str) -> tuple[str, int, int]:
    """The one line that holds a snippet, as evidence."""
    (number,) = [n for n, line in enumerate(texts[path].split("\n"), 1) if snippet in line]
    return path, number, number


@pytest.mark.parametrize("kind", EXPENSE_KINDS)
def test_nothing_is_found_on_a_desk_in_order(kind: str) -> None:
    assert found(kind, DESK) == []


ONE_LINE = [
    ("room-above-cap", LYON, "140.00 | FR 10 % | H1", "150.01 | FR 10 % | H1", "150.01"),
    ("room-above-cap", LEEDS, "0.8000 | 125.00 | GB", "0.8000 | 160.50 | GB", "160.50 | GB"),
    ("weekend-taxi", LYON, "hotel, because the tram had left", "hotel", "| 5 | Sun"),
    ("mileage-above-rate", LYON, "100 km at 0.30", "75 km at 0.40", "75 km"),
    ("mileage-above-rate", LYON, "100 km at 0.30", "30 km at 1.00", "30 km"),
    ("mileage-above-rate", LYON, "own car, A to B, 100 km at 0.30",
     "own motorcycle, A to B, 100 km at 0.30", "motorcycle"),
    ("mileage-above-rate", LYON, "own car, A to B, 100 km at 0.30",
     "own car, A to B, passenger Eve Fox, 75 km at 0.40", "passenger"),
    ("premium-cabin", LYON, "economy, 1 h 50", "business class, 1 h 50", "1 h 50"),
    ("outside-dates", LYON, "| Mon 4 Mar 2024 | Public", "| Wed 6 Mar 2024 | Public", "| 7 | W"),
    ("outside-dates", BEN, "| Mon 4 Mar 2024 | Public", "| Thu 29 Feb 2024 | Public", "| 1 | T"),
    ("wrong-exchange-rate", LEEDS, "0.8000 | 125.00 |", "0.8500 | 117.65 |", "0.8500"),
    ("wrong-exchange-rate", LEEDS, "0.8000 | 125.00 |", "0.8000 | 126.00 |", "126.00"),
    ("guests-unnamed", LYON, "dinner with Eve Fox, Fox Foods", "dinner, Fox Foods", "| 8 | Mon"),
    ("guests-unnamed", LYON, "dinner with Eve Fox, Fox Foods", "dinner with two", "| 8 | Mon"),
    ("excess-allowance", LYON, "day | one | 30.00 | - | 30.00", "day | one | 50.00 | - | 50.00",
     "| one |"),
    ("excess-allowance", LYON, "50.00 | dinner | 30.00", "50.00 | dinner | 50.00", "| two |"),
    ("excess-allowance", LEEDS, "travel day | four", "full day | four", "| four |"),
    ("wrong-sum", LYON, "| 5, 6 | 33.00", "| 5, 6 | 30.30", "| 5, 6 |"),
    ("wrong-sum", LYON, "**697.50**", "**679.50**", "**679.50**"),
    ("wrong-sum", LYON, "| 3 days | 90.00", "| 3 days | 80.00", "| 3 days |"),
    ("wrong-sum", LYON, "| 1234 | 484.00", "| 1234 | 464.00", "| 1234 |"),
    ("wrong-sum", LYON, "| E1001 | 213.50", "| E1001 | 231.50", "| E1001 |"),
    ("wrong-sum", LYON, "24.00 | 4.00", "24.00 | 4.80", "4.80"),
    ("wrong-vat-rate", HOTEL, '127.27, "vatRate": 10', '127.27, "vatRate": 20', '"A1"'),
    ("wrong-vat-rate", HOTEL, '20.00, "vatRate": 20', '20.00, "vatRate": 10', '"A3"'),
    ("alcohol-claimed", MEAL, "ginger beer, 0.2 l", "beer, 0.2 l", '"B2"'),
    ("alcohol-claimed", MEAL, "ginger beer, 0.2 l", "Grauburgunder, 0.2 l", '"B2"'),
    ("foreign-account", LYON, "DE89 3704 0044 0532 0130 00", "DE02 1203 0000 0000 2020 51",
     "- Paid"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "path", "old", "new", "snippet"), ONE_LINE, ids=[f"{c[0]}: {c[3]}" for c in ONE_LINE]
)
def test_a_defect_is_found_at_its_line_and_nowhere_else(
    kind: str, path: str, old: str, new: str, snippet: str
) -> None:
    texts = changed(path, old, new)
    hits = found(kind, texts)
    assert at(texts, path, snippet) in hits
    # A wrong sum of taxes makes the line below it wrong too.
    assert len(hits) == (2 if new.endswith("4.80") else 1)


IN_ORDER = [
    ("room-above-cap", LYON, "140.00 | FR 10 % | H1", "150.00 | FR 10 % | H1"),
    ("weekend-taxi", LYON, "because the tram had left", "since the tram had left"),
    ("mileage-above-rate", LYON, "100 km at 0.30", "120 km at 0.25"),
    ("mileage-above-rate", LYON, "B, 100 km at 0.30", "B, passenger Eve Fox, 100 km at 0.36"),
    ("mileage-above-rate", LYON, "own car, A to B, 100 km at 0.30", "bicycle, 9 km at 0.10"),
    ("premium-cabin", LYON, "economy, 1 h 50", "business, 6 h 00"),
    ("outside-dates", LYON, "| Mon 4 Mar 2024 | Public", "| Tue 5 Mar 2024 | Public"),
    ("excess-allowance", LYON, "50.00 | dinner | 30.00", "50.00 | dinner | 20.00"),
    ("alcohol-claimed", MEAL, "ginger beer, 0.2 l", "wine vinegar salad"),
    ("alcohol-claimed", MEAL, "ginger beer, 0.2 l", "rum-free cake"),
    ("alcohol-claimed", MEAL, "ginger beer, 0.2 l", "portside fish"),
    ("split-purchase", ADA, "Fri 8 Mar 2024 | Equipment", "Tue 5 Mar 2024 | Equipment"),
    ("split-purchase", ADA, "7 Mar 2024 | Equipment | Mart", "13 Mar 2024 | Equipment | Shop"),
    ("missing-second-approval", LEEDS, "- Countersigned", "- Approval by finance"),
    ("approval-after-payment", MAIL, "Wed, 13 Mar 2024", "Fri, 22 Mar 2024"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "path", "old", "new"), IN_ORDER, ids=[f"{c[0]}: {c[3]}" for c in IN_ORDER]
)
def test_what_the_policy_allows_is_no_defect(kind: str, path: str, old: str, new: str) -> None:
    assert found(kind, changed(path, old, new)) == []


LIMITS = [
    ("room-above-cap", "| 150 | 50", "| 200 | 50", LYON, "140.00 | FR 10 % | H1",
     "190.00 | FR 10 % | H1"),
    ("mileage-above-rate", "EUR 0.30 per", "EUR 0.45 per", LYON, "100 km at 0.30", "75 km at 0.40"),
    ("mileage-above-rate", "a bicycle at EUR 0.10", "a bicycle at EUR 0.15", LYON,
     "own car, A to B, 100 km at 0.30", "bicycle, A to B, 30 km at 0.12"),
    ("mileage-above-rate", "EUR 0.36 with", "EUR 0.40 with", LYON,
     "A to B, 100 km at 0.30", "A to B, passenger Eve Fox, 100 km at 0.38"),
    ("premium-cabin", "less than 6 hours", "less than 1 hours", LYON, "economy", "business"),
    ("wrong-vat-rate", "FR | 20 | 10", "FR | 10 | 10", HOTEL, '20.00, "vatRate": 20',
     '20.00, "vatRate": 10'),
    ("missing-second-approval", "EUR 2,000 needs", "EUR 2,500 needs", LEEDS,
     "- Countersigned: 14 March 2024, Flo Gray, Director of Finance\n", ""),
    ("insufficient-authority", "G5 | 800", "G5 | 3,000", MAIL, "ER-24-0101\n\n", "ER-24-0102\n\n"),
    ("weekend-taxi", "or a Sunday the line", "or a Sunday the driver", LYON,
     "hotel, because the tram had left", "hotel"),
    ("alcohol-claimed", "Alcohol is not paid", "Alcohol is paid", MEAL, "ginger beer", "beer"),
    ("split-purchase", "than EUR 400", "than EUR 600", ADA, "Mart | label", "Shop | label"),
    ("split-purchase", "within 7 days", "within 1 days", ADA, "Mart | label", "Shop | label"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "rule", "other", "path", "old", "new"), LIMITS, ids=[case[0] for case in LIMITS]
)
def test_the_limit_is_read_from_the_policy(
    kind: str, rule: str, other: str, path: str, old: str, new: str
) -> None:
    texts = changed(path, old, new)
    assert found(kind, texts) != []
    assert found(kind, changed("policy.md", rule, other, texts)) == []


@pytest.mark.parametrize("kind", sorted(set(EXPENSE_KINDS) - {"foreign-account"}))
def test_without_policy_and_tables_nothing_is_a_defect(kind: str) -> None:
    references = ("policy.md", "staff.csv", "exchange-rates.csv")
    for case in ONE_LINE:
        if case[0] == kind:
            texts = changed(case[1], case[2], case[3])
            assert not found(kind, {p: t for p, t in texts.items() if p not in references})


def test_a_large_report_without_second_approval_is_found_where_it_should_stand() -> None:
    line = "- Countersigned: 14 March 2024, Flo Gray, Director of Finance\n"
    texts = changed(LEEDS, line, "")
    _, first, _ = at(texts, LEEDS, "- Handed in")
    assert found("missing-second-approval", texts) == [(LEEDS, first, first + 1)]


ACROSS = [
    ("insufficient-authority", MAIL, "Subject: Re: ER-24-0101", "Subject: Re: ER-24-0102",
     [(MAIL, "approved: Cy Dorn"), (LEEDS, "**2,070.00**")]),
    ("approval-after-payment", MAIL, "Wed, 13 Mar 2024", "Sat, 23 Mar 2024",
     [(MAIL, "Date: Sat"), (LYON, "- Paid")]),
    ("receipt-claimed-twice", BEN, "| X9 |", "| X3 |", [(LYON, "| X3 |"), (BEN, "| X3 |")]),
    ("card-difference", CARDS, "EUR;200,00;200,00", "EUR;190,00;190,00",
     [(CARDS, "T2"), (LYON, "T2")]),
    ("card-difference", CARDS, "EUR;284,00;284,00", "EUR;274,00;274,00",
     [(CARDS, "T1"), (LYON, "| 1 | Sun"), (LYON, "| 2 | Mon"), (LYON, "| 3 | Mon")]),
    ("split-purchase", ADA, "Mart | label", "Shop | label", [(BEN, "| Q1 |"), (ADA, "| Q2 |")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "path", "old", "new", "places"), ACROSS, ids=[f"{c[0]}: {c[3]}" for c in ACROSS]
)
def test_a_defect_across_files_is_found_at_its_lines_and_by_no_file_alone(
    kind: str, path: str, old: str, new: str, places: list[tuple[str, str]]
) -> None:
    texts = changed(path, old, new)
    if kind == "insufficient-authority":
        texts[path] = texts[path].replace("ER-24-0101 approved", "ER-24-0102 approved")
        del texts["approvals/er-24-0102.eml"]
    assert sorted(found(kind, texts)) == sorted(at(texts, *place) for place in places)
    for file in {place[0] for place in places}:
        rest = {p: t for p, t in texts.items() if p != file}
        assert found(kind, rest) == []


OFF = '"alcohol-free beer, 0.3 l", "qty": 1, "single price": 5.00, "gross": 5.00'


@pytest.mark.parametrize(
    ("taken_off", "still_there"),
    [
        ('"riesling, 0.2 l, paid apart", "qty": 1, "single price": -5.00, "gross": -5.00', False),
        ('"private: riesling, 0.2 l", "qty": 1, "single price": -5.00, "gross": -5.00', False),
        ('"merlot, 0.2 l, paid apart", "qty": 1, "single price": -5.00, "gross": -5.00', True),
        ('"riesling, 0.2 l, paid apart", "qty": 1, "single price": -4.00, "gross": -4.00', True),
        ('"rhubarb spritzer, paid apart", "qty": 1, "single price": -5.00, "gross": -5.00', True),
    ],
    ids=["the same", "other words", "another drink", "another price", "no alcohol"],
)
def test_only_the_same_drink_at_the_same_price_takes_a_drink_off_again(
    taken_off: str, still_there: bool
) -> None:
    texts = changed(MEAL, OFF, taken_off, changed(MEAL, "ginger beer, 0.2 l", "riesling, 0.2 l"))
    hits = [at(texts, MEAL, '"B2"')] if still_there else []
    assert found("alcohol-claimed", texts) == hits


def test_of_two_glasses_of_which_one_is_taken_off_one_is_found() -> None:
    text = '"riesling, 0.2 l, paid apart", "qty": 1, "single price": -5.00, "gross": -5.00'
    texts = changed(MEAL, OFF, text, changed(MEAL, "ginger beer, 0.2 l", "riesling, 0.2 l"))
    glass = next(line for line in texts[MEAL].split("\n") if '"B2"' in line)
    texts = changed(MEAL, glass, f"{glass}\n{glass.replace('B2', 'B9')}", texts)
    assert len(found("alcohol-claimed", texts)) == 1


def test_whoever_approves_their_own_report_has_no_authority() -> None:
    texts = changed(MAIL, "From: Cy Dorn <cy.dorn@", "From: Ada Berg <ada.berg@")
    texts[MAIL] = texts[MAIL].replace("approved: Cy Dorn", "approved: Ada Berg")
    texts["policy.md"] = DESK["policy.md"].replace("| G5 |", "| G4 | 9,000 |\n| G5 |")
    hits = found("insufficient-authority", texts)
    assert at(texts, MAIL, "approved: Ada Berg") in hits


def test_the_path_of_a_paper_plays_no_part() -> None:
    texts = changed(LYON, "100 km at 0.30", "75 km at 0.40")
    moved = {f"else/{number}": text for number, text in enumerate(texts.values())}
    assert len(found("mileage-above-rate", moved)) == 1


def damaged() -> list[dict[str, str]]:
    """The desk with one line of one paper cut in half, or lost, each time another."""
    return [
        {**DESK, path: "\n".join([*lines[:number], *rest, *lines[number + 1 :]])}
        for path, text in DESK.items()
        for lines in [text.split("\n")]
        for number, line in enumerate(lines)
        for rest in ([line[: len(line) // 2]], [])
    ]


def test_a_damaged_paper_is_read_as_far_as_it_goes() -> None:
    for texts in damaged():
        for kind in EXPENSE_KINDS:
            for path, first, last in found(kind, texts):
                assert 1 <= first <= last <= len(texts[path].split("\n"))


@pytest.mark.parametrize(
    "text",
    ["", "\n", "# ER-24-0101\n", "{", "{}\n", "From: x\n\nER-24-0101", "week of,GBP\n", "| a |\n",
     "number,name,mail,title\n", "# A policy\n\n| City |\n| --- |\n| Lyon |\n",
     "# Expense report ER-24-0101\n\n- Dates: Mon 32 Mar 2024 to Tue 99 Mar 2024\n"],
)  # fmt: skip
def test_what_is_no_paper_is_none(text: str) -> None:
    for kind in EXPENSE_KINDS:
        assert found(kind, {"some.txt": text}) == []
