"""Rates that do not fit the master agreement, with every sum that follows from them put right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generators.contracts.figures import raised
from generators.contracts.scene import Scene
from generators.contracts.wording import money
from generators.detectors.contracts.rate_tables import RoleRate, cells_of, cents, role_rates
from generators.lines import split_lines
from generators.planting import Planted

WHOLE = 100
STEP = 10
"""Rates are whole tens of dollars."""
MORE = (8, 10, 12, 15, 18)
"""By how many per cent a planted rate is above the one in force."""
UPLIFT = re.compile(r"(\d+) per cent")


def above_schedule(scene: Scene) -> Planted:
    """A role of a statement of work costs more a day than its master agreement says."""
    schedule, lines = _schedule(scene), split_lines(scene.text)
    effort = [rate for rate in role_rates(scene.text) if rate.role in schedule]
    if not effort:
        raise scene.refuse("charges no rate of its master agreement")
    line = scene.choose([rate.line for rate in effort])
    rate = next(one for one in effort if one.line == line)
    source = schedule[rate.role]
    new = _above(scene, source.cents)
    rows = {line: _row(_with_rate(cells_of(lines[line - 1]), new))}
    before, after = cents(cells_of(lines[line - 1])[-1]), cents(cells_of(rows[line])[-1])
    if before is None or after is None:
        raise scene.refuse(f"line {line} has no amount")
    rows |= _sums(lines, line, after - before)
    return scene.planted(rows, line, source.line, _varied(scene, source, new))


def misstated(scene: Scene) -> Planted:
    """An amendment raises a rate from a figure that was never agreed."""
    schedule, lines = _schedule(scene), split_lines(scene.text)
    changed = [
        rate for rate in role_rates(scene.text) if rate.former is not None and rate.role in schedule
    ]
    uplift = UPLIFT.search(" ".join(lines))
    if not changed or uplift is None:
        raise scene.refuse("changes no rate of its master agreement")
    line = scene.choose([rate.line for rate in changed])
    rate = next(one for one in changed if one.line == line)
    source = schedule[rate.role]
    former = _above(scene, source.cents)
    new = raised(former // WHOLE, int(uplift[1])) * WHOLE
    row = _row([rate.role, _plain(former), _plain(new)])
    return scene.planted({line: row}, line, source.line, _varied(scene, source, former))


def _schedule(scene: Scene) -> dict[str, RoleRate]:
    return {rate.role: rate for rate in role_rates(scene.master_text)}


def _above(scene: Scene, agreed: int) -> int:
    more = MORE[scene.drawn("more") % len(MORE)]
    return (agreed * (WHOLE + more) // WHOLE // (STEP * WHOLE) + 1) * STEP * WHOLE


def _varied(scene: Scene, source: RoleRate, new: int) -> str:
    """The row of the schedule, had it the planted rate."""
    row = cells_of(split_lines(scene.master_text)[source.line - 1])
    return _row([row[0], _plain(new), *row[2:]])


def _with_rate(row: Sequence[str], new: int) -> list[str]:
    """Role, days, rate and amount."""
    return [row[0], row[1], _plain(new), _plain(int(row[1]) * new)]


def _sums(lines: Sequence[str], line: int, more: int) -> dict[int, str]:
    """The total below the row, and the parts it is paid in."""
    rows: dict[int, str] = {}
    place, total = line, 0
    while place < len(lines) and lines[place].startswith("|"):
        row = cells_of(lines[place])
        stated = cents(row[-1].strip("*"))
        if row[0].startswith("**") and stated is not None:
            total = stated + more
            rows[place + 1] = _row([*row[:-1], f"**{_plain(total)}**"])
        place += 1
    shares = [
        number
        for number in range(place, len(lines))
        if lines[number].startswith("|") and re.fullmatch(r"\d+%", cells_of(lines[number])[1])
    ]
    left = total
    for number in shares:
        row = cells_of(lines[number])
        part = left if number == shares[-1] else total * int(row[1].rstrip("%")) // WHOLE
        left -= part
        rows[number + 1] = _row([*row[:-1], _plain(part)])
    return rows


def _row(cells: Sequence[str]) -> str:
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def _plain(amount: int) -> str:
    return money(amount, " ").strip()
