"""What becomes of a report: handed in, approved by somebody who may, countersigned, paid."""

from __future__ import annotations

import random
from datetime import date, datetime, time, timedelta

from generators.expenses.claims import Course
from generators.expenses.wording import FRIDAY, HOLIDAYS, workday
from generators.expenses.world import Employee, World

HEADROOM = 5000
"""EUR cents that an approver has left, so that a small change of a report needs no other one."""


def draw_course(
    source: random.Random, world: World, employee: Employee, last: date, total: int
) -> Course:
    """Dates in the right order. Payments are run on Fridays."""
    submitted = workday(last + timedelta(days=source.randrange(4, 9)))
    approved = workday(submitted + timedelta(days=source.randrange(1, 4)))
    settled, second = approved, None
    if total > world.limits.second * 100:
        settled = second = workday(approved + timedelta(days=source.randrange(1, 4)))
    after = settled + timedelta(days=source.randrange(2, 5))
    paid = after + timedelta(days=(FRIDAY - after.weekday()) % 7)
    while paid in HOLIDAYS:
        paid += timedelta(weeks=1)
    clock = time(source.randrange(7, 19), source.randrange(60), source.randrange(60))
    approver = _approver(source, world, employee, total)
    return Course(submitted, approver, datetime.combine(approved, clock), second, paid)


def _approver(source: random.Random, world: World, employee: Employee, total: int) -> Employee:
    """The lowest in the department who may, and is not the claimant."""
    group = world.people[employee.department.name]
    chain = [*source.sample(group[1:3], 2), group[0], world.director]
    authority = world.limits.authority
    return next(
        person
        for person in chain
        if person != employee and total + HEADROOM <= authority[person.grade] * 100
    )
