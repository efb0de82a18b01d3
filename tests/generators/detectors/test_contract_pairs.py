"""Departures that show only in two contracts together, in wordings that no template of ours has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import pytest

from generators.detectors.contract_terms import CONTRACT_TERMS

BOOK = """\
# Acme playbook

## Liability
Liability is capped at the fees of the last twelve months.

## Payment
We pay no sooner than 30 days after receipt of an invoice.
"""
MASTER = """\
# Master Agreement

MSA-2022-004

## 5. Payment
Acme pays each invoice within 45 days of receipt.

## 9. Liability
Each side's liability is capped at the fees paid in the nine months before the claim.

| Role | Day rate (USD) |
|---|---:|
| Engineer | 900.00 |
| Clerk | 400.00 |
"""
WORK = """\
# Statement of Work

SOW-2023-001, under MSA-2022-004

| Role | Days | Day rate (USD) | Amount (USD) |
|---|---:|---:|---:|
| Engineer | 10 | RATE | 9,000.00 |
"""
AMENDMENT = """\
# First Amendment

AMD-2023-050, to MSA-2022-004

## Changes
CHANGE

| Role | Previous rate (USD) | New rate (USD) |
|---|---:|---:|
| Engineer | FORMER | 990.00 |
"""
SECOND = AMENDMENT.replace("First", "Second").replace("2023-050", "2024-050")


def amendment(change: str = "Nothing.", former: str = "900.00", text: str = AMENDMENT) -> str:
    return text.replace("CHANGE", change).replace("FORMER", former)


def lines(kind: str, **texts: str) -> list[tuple[str, int]]:
    detector: Any = CONTRACT_TERMS[kind].make()
    files: Mapping[PurePosixPath, str] = {
        PurePosixPath(f"{name}.md"): text for name, text in {"book": BOOK, **texts}.items()
    }
    facts = {path: detector.extract(path, text) for path, text in files.items()}
    return sorted((e.path.stem, e.first) for e in detector.decide(facts))


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        ("900.00", []),
        ("850.00", []),
        ("900.01", [("master", 12 + 1), ("work", 7)]),
        ("1,200.00", [("master", 13), ("work", 7)]),
    ],
)
def test_work_above_the_schedule_of_its_master_agreement(
    rate: str, expected: list[tuple[str, int]]
) -> None:
    text = WORK.replace("RATE", rate)
    assert lines("rate-above-schedule", master=MASTER, work=text) == expected
    assert lines("rate-above-schedule", work=text) == []


def test_work_ordered_after_an_amendment_has_its_rates() -> None:
    later = WORK.replace("2023-001", "2023-090").replace("RATE", "990.00")
    earlier = WORK.replace("RATE", "990.00")
    assert lines("rate-above-schedule", master=MASTER, work=later, change=amendment()) == []
    assert lines("rate-above-schedule", master=MASTER, work=earlier, change=amendment()) == [
        ("master", 13),
        ("work", 7),
    ]


def test_a_schedule_of_another_vendor_decides_nothing() -> None:
    other = MASTER.replace("MSA-2022-004", "MSA-2022-005")
    text = WORK.replace("RATE", "1,200.00")
    assert lines("rate-above-schedule", master=other, work=text) == []


def test_an_amendment_starts_from_the_rates_in_force() -> None:
    assert lines("misstated-rate", master=MASTER, change=amendment()) == []
    assert lines("misstated-rate", master=MASTER, change=amendment(former="930.00")) == [
        ("change", 10),
        ("master", 13),
    ]
    assert lines("misstated-rate", change=amendment(former="930.00")) == []


def test_a_later_amendment_starts_from_the_earlier_one() -> None:
    right = amendment(former="990.00", text=SECOND)
    wrong = amendment(former="900.00", text=SECOND)
    assert lines("misstated-rate", master=MASTER, change=amendment(), second=right) == []
    assert lines("misstated-rate", master=MASTER, change=amendment(), second=wrong) == [
        ("change", 10),
        ("second", 10),
    ]


@pytest.mark.parametrize(
    ("change", "master_line"),
    [
        ("The payment term is shortened by twenty (20) days.", 6),
        ("Invoices fall due 20 days sooner than before.", 6),
        ("Three weeks are taken off the payment term.", 6),
        ("The payment term is shortened by 15 days.", None),
        ("The payment term is lengthened by twenty days.", None),
        ("The period that measures the cap on liability is lengthened by six months.", 9),
        ("The cap on liability is increased by the charges of four (4) months.", 9),
        ("Liability is capped by fees of a period 4 months longer than before.", 9),
        ("The period that measures the cap on liability is increased by 3 months.", None),
        ("The period that measures the cap on liability is reduced by six months.", None),
        ("Acme pays within 45 days and reports every 4 months.", None),
    ],
)
def test_a_change_that_takes_a_term_beyond_the_playbook(
    change: str, master_line: int | None
) -> None:
    expected = [("change", 6), ("master", master_line)] if master_line else []
    text = amendment(change)
    assert lines("amended-beyond-limit", master=MASTER, change=text) == expected
    assert lines("amended-beyond-limit", change=text) == []
    for kind in ("short-payment-term", "uncapped-liability"):
        assert lines(kind, master=MASTER, change=text) == []


def test_changes_add_up_in_the_order_of_the_register() -> None:
    change = "The payment term is shortened by ten days."
    first, second = amendment(change), amendment(change, text=SECOND)
    assert lines("amended-beyond-limit", master=MASTER, a=second, b=first) == [
        ("a", 6),
        ("b", 6),
        ("master", 6),
    ]


@pytest.mark.parametrize("kind", ["amended-beyond-limit", "misstated-rate"])
def test_a_second_amendment_says_nothing_where_the_first_is_not_there(kind: str) -> None:
    change = "The payment term is shortened by twenty days."
    second = amendment(change, former="990.00", text=SECOND)
    assert lines(kind, master=MASTER, second=second) == []


def test_a_second_amendment_is_read_beside_the_first_alone() -> None:
    wrong = amendment(former="900.00", text=SECOND)
    assert lines("misstated-rate", change=amendment(), second=wrong) == [
        ("change", 10),
        ("second", 10),
    ]


@pytest.mark.parametrize("title", ["Amendment No. 2", "Amendment 2 to Master Agreement"])
def test_a_title_may_count_amendments_in_figures(title: str) -> None:
    second = SECOND.replace("Second Amendment", title)
    right, wrong = (amendment(former=rate, text=second) for rate in ("990.00", "900.00"))
    assert lines("misstated-rate", master=MASTER, second=right) == []
    assert lines("misstated-rate", change=amendment(), second=right) == []
    assert len(lines("misstated-rate", change=amendment(), second=wrong)) == 2


def test_fees_paid_before_a_claim_are_no_term_of_payment() -> None:
    first, payment, liability = MASTER.partition("## 5. Payment")[0], *MASTER.split("## ")[1:]
    turned = f"{first}## {liability}\n## {payment}"
    change = amendment("The payment term is shortened by twenty (20) days.")
    found = lines("amended-beyond-limit", master=turned, change=change)
    assert [place[0] for place in found] == ["change", "master"]
    assert "within 45 days" in turned.split("\n")[found[1][1] - 1]


def test_a_term_that_was_never_within_the_playbook_is_no_fault_of_amendments() -> None:
    master = MASTER.replace("nine months", "eighteen months")
    first = amendment("The period of the cap on liability is shortened by six months.")
    second = amendment(
        "The period of the cap on liability is lengthened by three months.", text=SECOND
    )
    assert lines("uncapped-liability", master=master) == [("master", 9)]
    assert lines("amended-beyond-limit", master=master, a=first, b=second) == []
