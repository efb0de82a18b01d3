"""What a reader from the trade looks at: numbers, days and names that fit their place."""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

import pytest

from generators.detectors.expenses.desk import read_paper
from generators.detectors.expenses.report import ReportPaper
from generators.expenses.generator import ExpensesGenerator
from generators.expenses.numbers import Numbers
from generators.expenses.plan import ExpensesParameters
from generators.expenses.vocabulary import read_locals, read_merchants, read_places
from generators.expenses.wording import HOLIDAYS, workday

NEW_YEAR = date(2024, 1, 1)


@cache
def reports(seed: int) -> tuple[ReportPaper, ...]:
    generator = ExpensesGenerator(ExpensesParameters(), random.Random(seed))
    papers = [read_paper(document.text) for document in generator.documents()]
    return tuple(paper for paper in papers if isinstance(paper, ReportPaper))


def digits(text: str) -> int:
    return int("".join(filter(str.isdigit, text)))


def test_the_charges_of_a_bank_rise_by_uneven_steps_from_day_to_day() -> None:
    numbers = Numbers(random.Random(4))
    given = [digits(numbers.charge(date(2024, 2, 1) + timedelta(days=n))) for n in range(30)]
    assert given == sorted(given)
    assert len({later - earlier for earlier, later in pairwise(given)}) > 20


def test_every_merchant_counts_by_itself_in_a_form_of_its_own() -> None:
    numbers = Numbers(random.Random(4))
    day = date(2024, 2, 1)
    first = {name: numbers.receipt(day, name) for name in map(str, range(20))}
    again = {name: numbers.receipt(day, name) for name in map(str, range(20))}
    assert len({*first.values(), *again.values()}) == 40
    assert all(abs(digits(first[name]) - digits(again[name])) < 130 for name in first)
    steps = {digits(again[name]) - digits(first[name]) for name in first}
    assert len(steps) > 10


def test_a_log_has_another_page_for_every_drive() -> None:
    for report in reports(0):
        drives = [one.receipt for one in report.claims if one.receipt.startswith("log ")]
        assert len(drives) == len(set(drives))
        assert all(report.employee.removeprefix("E") in one for one in drives)


@pytest.mark.parametrize("seed", range(5))
def test_nobody_works_or_is_paid_on_a_public_holiday(seed: int) -> None:
    for report in reports(seed):
        days = [claim.day for claim in report.claims] + [one.day for one in report.allowances]
        assert not HOLIDAYS & {*days, *(step.day for step in report.steps.values())}


def test_the_first_workday_of_a_year_is_not_the_first_day() -> None:
    assert workday(NEW_YEAR) == date(2024, 1, 2)
    assert workday(date(2024, 3, 29)) == date(2024, 4, 2)


@pytest.mark.parametrize("seed", range(5))
def test_shops_at_home_stand_in_the_country_whose_rate_they_bear(seed: int) -> None:
    homes = read_locals().homes
    for report in reports(seed):
        for claim in report.claims:
            if claim.category == "Equipment":
                assert claim.merchant in homes[claim.vat[:2]].equipment_shops


def test_every_country_has_a_language_and_every_wine_a_price() -> None:
    places, words = read_places(), read_locals()
    assert {country.code for country in places.countries} == set(words.languages)
    assert {site.country for site in places.sites} == set(words.homes)
    known = {name.split(",")[0] for name, *_ in read_merchants().wines}
    used = {*words.everywhere, *(wine for one in words.locals.values() for wine in one.wines)}
    assert used <= known
