from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from generators.expenses.consistency import faults
from generators.expenses.generator import ExpensesGenerator
from generators.expenses.plan import ExpensesParameters

DESK: Mapping[str, str] = yaml.safe_load(
    Path(__file__).with_name("desk.yaml").read_text(encoding="utf-8")
)
LYON, HOTEL, CARDS = "reports/er-24-0101.md", "invoices/hotel.json", "cards/2024-03-sales.csv"
MEAL, MAIL, STAFF = "invoices/meal.json", "approvals/er-24-0101.eml", "staff.csv"


def test_papers_in_order_have_no_fault() -> None:
    assert faults(DESK) == ()


@pytest.mark.parametrize(
    ("path", "old", "new", "fault"),
    [
        (HOTEL, '"net": 20.00, "vatRate"', '"net": 21.00, "vatRate"', "does not add up"),
        (HOTEL, '"vat": 27.64', '"vat": 27.65', "does not add up"),
        (HOTEL, '"vat": 23.64', '"vat": 23.63', "does not add up"),
        (HOTEL, '"billNo": "H1"', '"billNo": "H7"', "claimed are 0"),
        (HOTEL, '"billNo": "H1"', '"billNo": "M1"', "its number is given twice"),
        (MEAL, '"qty": 2', '"qty": 3', "does not add up"),
        (
            HOTEL,
            '"currency"',
            '"iban": "DE12 3704 0044 0532 0130 00",\n  "currency"',
            "wrong check",
        ),
        (CARDS, "2384,00", "2394,00", "does not add up"),
        (CARDS, ";T3;", ";T8;", "not claimed"),
        (CARDS, ";T3;", ";T8;", "was not charged"),
        (LYON, "7 receipts", "9 receipts", "receipts are miscounted"),
        (LYON, "EUR 213.50 to", "EUR 231.50 to", "what was paid is not what is due"),
        (LYON, "Submitted: 11 March", "Submitted: 4 March", "steps are out of order"),
        (LYON, "Paid: 22 March", "Paid: 9 March", "steps are out of order"),
        (LYON, "| Mon 4 Mar 2024 | full", "| Tue 5 Mar 2024 | full", "per diems are not one a day"),
        (LYON, "| Mon 4 Mar 2024 | Lodging", "| Sun 3 Mar 2024 | Lodging", "nights are not one"),
        (LYON, "| Mileage | 9", "| Car | 9", "categories and their sums differ"),
        (LYON, "| FR | 20 %", "| FR | 21 %", "rates of VAT and their sums differ"),
        (MAIL, "13 Mar 2024", "08 Mar 2024", "comes too early or too late"),
        (MAIL, "<cy.dorn@", "<cy.durn@", "from nobody on the staff list"),
        (MAIL, "Re: ER-24-0101", "Re: ER-24-0109", "was not approved"),
        (STAFF, "DE02 1203", "DE02 1204", "wrong check digits of E1004"),
        ("policy.md", "# Travel policy", "# Travel rules", "cannot be read"),
    ],
)
def test_a_paper_out_of_order_is_told(path: str, old: str, new: str, fault: str) -> None:
    assert DESK[path].count(old) == 1
    found = faults({**DESK, path: DESK[path].replace(old, new)})
    assert any(fault in one for one in found), found


def test_what_a_detector_finds_is_a_fault_too() -> None:
    found = faults({**DESK, LYON: DESK[LYON].replace("100 km at 0.30", "75 km at 0.40")})
    assert [one.partition(": ")[2] for one in found] == ["mileage-above-rate"]


SIZES = {
    "small": ExpensesParameters(trips=3, monthly=1, departments=2, months=1),
    "standard": ExpensesParameters(),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(12))
def test_a_clean_corpus_is_in_order(seed: int, size: str) -> None:
    generator = ExpensesGenerator(SIZES[size], random.Random(seed))
    assert faults({str(d.path): d.text for d in generator.documents()}) == ()
