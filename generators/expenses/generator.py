"""The `expenses` generator: reports, approvals, invoices, card statements, and the policy."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

from generators.document import Document
from generators.expenses.claims import HOME, Report
from generators.expenses.course import draw_course
from generators.expenses.houses import Houses
from generators.expenses.json_papers import write_bill, write_slip
from generators.expenses.numbers import Numbers
from generators.expenses.office import Office
from generators.expenses.papers import (
    Charge,
    charges_of,
    draw_bank,
    write_approval,
    write_rates,
    write_staff,
    write_statement,
)
from generators.expenses.plan import ExpensesParameters, Month, Plan, Trip, make_plan
from generators.expenses.purse import Purse
from generators.expenses.rendering import write_policy
from generators.expenses.reports import write_report
from generators.expenses.trips import Shared, claim_trip
from generators.expenses.vocabulary import read_locals, read_phrases
from generators.expenses.wording import MONTHS
from generators.expenses.world import World, ascii_slug, build_world

SUMMARY = "expense reports, invoices, card statements and approvals of one company; its policy"
EXAMPLE = """\
generator: expenses
parameters: {departments: 4, months: 3}
sizes:
  standard: {trips: 15, monthly: 6}
"""


class ExpensesGenerator:
    """`policy.md`, `staff.csv`, `exchange-rates.csv`; reports, approvals, invoices and cards.

    The same people, trips, prices and numbers recur: a line of a report is on the statement of its
    card, an invoice adds up to the lines that claim it, and a report is paid once it is approved.
    They lie as an accounting office files them: by month and department, each report in a folder
    with its papers, so that every kind of paper comes up wherever one starts to read.
    """

    def __init__(self, parameters: ExpensesParameters, source: random.Random) -> None:
        self._parameters = parameters
        self._seed = source.getrandbits(64)

    def documents(self) -> Iterator[Document]:
        """The references first, then report by report, then the statements."""
        source = random.Random(self._seed)
        world = build_world(source, self._parameters.departments, self._parameters.weeks)
        plan = make_plan(source, world, self._parameters, read_phrases().jobs, read_locals())
        yield _document("policy.md", "policy", write_policy(source, world))
        yield _document("staff.csv", "staff", write_staff(world))
        yield _document("exchange-rates.csv", "rates", write_rates(world))
        charges: dict[tuple[str, date], list[Charge]] = {}
        for report in _reports(source, world, plan):
            for charge in charges_of(report):
                key = report.employee.department.slug, charge.day.replace(day=1)
                charges.setdefault(key, []).append(charge)
            # One stream of randomness a report: a change to one leaves the others as they are.
            yield from _papers(random.Random(source.getrandbits(64)), world, report)
        yield from _statements(source, world, charges)


def _document(path: str, kind: str, text: str) -> Document:
    return Document(PurePosixPath(path), kind, text)


def _papers(source: random.Random, world: World, report: Report) -> Iterator[Document]:
    department = report.employee.department.slug
    folder = f"{report.first:%Y-%m}/{department}/{report.slug}"
    yield _document(f"{folder}/expenses.md", report.kind, write_report(source, world, report))
    mail = write_approval(source, world, report)
    yield _document(f"{folder}/approval.eml", "approval", mail)
    for bill in report.bills:
        name = f"invoice-{ascii_slug(bill.hotel)}.json"
        yield _document(f"{folder}/{name}", "invoice", write_bill(source, world, bill))
    for slip in report.slips:
        name = f"receipt-{ascii_slug(slip.restaurant)}.json"
        yield _document(f"{folder}/{name}", "receipt", write_slip(source, slip))


def _statements(
    source: random.Random, world: World, charges: Mapping[tuple[str, date], Sequence[Charge]]
) -> Iterator[Document]:
    for number, department in enumerate(world.departments):
        for slug, month in sorted(charges):
            if slug == department.slug:
                # Of any two beside each other one has its particulars below the charges.
                bank = draw_bank(source, foot=(number + month.month) % 2 == 1)
                text = write_statement(department, month, charges[slug, month], bank)
                yield _document(f"{month:%Y-%m}/{slug}/card-statement.csv", "statement", text)


def _reports(source: random.Random, world: World, plan: Plan) -> Iterator[Report]:
    """All reports with what is claimed in them."""
    numbers, houses = Numbers(source), Houses(source)
    shared: Shared | None = None
    for trip in plan.trips:
        if trip.sort != "partner" or shared is None:
            shared = _shared(source, trip)
        yield _trip_report(source, world, Purse(source, world, numbers, trip), houses, shared)
    office = Office(source, world, numbers)
    for month in plan.months:
        yield _monthly_report(source, world, office, month)


def _trip_report(
    source: random.Random, world: World, purse: Purse, houses: Houses, shared: Shared
) -> Report:
    trip = purse.trip
    tables = [] if trip.sort == "car" else [houses.restaurant(trip.city)]
    claimed = claim_trip(purse, houses.hotel(trip.city), tables, shared)
    total = sum(row.euro for row in claimed.rows) + sum(one.euro for one in claimed.per_diems)
    return Report(
        number=trip.number,
        kind="trip_report",
        job=trip.job,
        shape=trip.shape,
        employee=trip.employee,
        first=trip.first,
        last=trip.last,
        aim=trip.aim,
        city=trip.city,
        customer=trip.customer,
        rows=tuple(claimed.rows),
        per_diems=tuple(claimed.per_diems),
        course=draw_course(source, world, trip.employee, trip.last, total),
        bills=tuple(claimed.bills),
        slips=tuple(claimed.slips),
    )


def _monthly_report(source: random.Random, world: World, office: Office, month: Month) -> Report:
    rows = office.rows(month)
    total = sum(row.euro for row in rows)
    return Report(
        number=month.number,
        kind="monthly_report",
        job=HOME,
        shape=month.shape,
        employee=month.employee,
        first=month.first,
        last=month.last,
        aim=f"expenses of {MONTHS[month.first.month - 1]}",
        city=None,
        customer="",
        rows=rows,
        per_diems=(),
        course=draw_course(source, world, month.employee, month.last, total),
    )


def _shared(source: random.Random, trip: Trip) -> Shared:
    """The firm whose tram both colleagues take, and what a ticket costs."""
    firm = source.choice(read_locals().of(trip.city.country.code).transit).format(
        city=trip.city.name
    )
    note = source.choice(read_phrases().transit_notes)
    return Shared(firm, source.randrange(380, 990, 10), note)
