"""Rates that do not fit the master agreement, with every sum that follows from them put right."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from generators.contracts.figures import raised
from generators.contracts.lines_shown import stands
from generators.contracts.scene import Row, Scene, with_row
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
    agreed, lines = _agreed(scene), split_lines(scene.text)
    effort = {rate.line: rate for rate in role_rates(scene.text) if rate.role in agreed}
    if not effort:
        raise scene.refuse("charges no rate of its master agreement")
    line = scene.choose(list(effort))
    source = agreed[effort[line].role]
    new = _above(scene, source.cents, lambda new: _row(_with_rate(cells_of(lines[line - 1]), new)))
    rows = {line: _row(_with_rate(cells_of(lines[line - 1]), new))}
    before, after = cents(cells_of(lines[line - 1])[-1]), cents(cells_of(rows[line])[-1])
    if before is None or after is None:
        raise scene.refuse(f"line {line} has no amount")
    rows |= _sums(lines, line, after - before)
    return scene.planted(rows, line, Row(scene.source, source.line), _agreeing(scene, source, new))


def misstated(scene: Scene) -> Planted:
    """An amendment raises a rate from a figure that was never agreed."""
    agreed = _agreed(scene)
    changed = {
        rate.line: rate
        for rate in role_rates(scene.text)
        if rate.former is not None and rate.role in agreed
    }
    uplift = UPLIFT.search(" ".join(split_lines(scene.text)))
    if not changed or uplift is None:
        raise scene.refuse("changes no rate in force whose line stands only once")
    line = scene.choose(list(changed))
    role, per_cent = changed[line].role, int(uplift[1])

    def row(former: int) -> str:
        return _row([role, _plain(former), _plain(raised(former // WHOLE, per_cent) * WHOLE)])

    former = _above(scene, agreed[role].cents, row)
    source = agreed[role]
    return scene.planted(
        {line: row(former)},
        line,
        Row(scene.source, source.line),
        _agreeing(scene, source, former),
    )


def _agreed(scene: Scene) -> dict[str, RoleRate]:
    """The rates in force by role, of those whose line stands in one place only."""
    text = scene.ground.texts[scene.source]
    lines = split_lines(text)
    return {
        rate.role: rate
        for rate in role_rates(text)
        if stands(scene.ground, lines[rate.line - 1]) == 1
    }


def _above(scene: Scene, agreed: int, row: Callable[[int], str]) -> int:
    """A rate above the one agreed; of several one whose row would stand nowhere else."""
    first = scene.drawn("more")
    for place in range(len(MORE)):
        more = MORE[(first + place) % len(MORE)]
        new = (agreed * (WHOLE + more) // WHOLE // (STEP * WHOLE) + 1) * STEP * WHOLE
        if not stands(scene.ground, row(new)):
            return new
    raise scene.refuse("every rate above the one agreed would repeat a line")


def _agreeing(scene: Scene, source: RoleRate, new: int) -> dict[PurePosixPath, str]:
    """The contract that sets the rate in force, had it the planted rate, and what goes on from it.

    Else the amendments of a master agreement would start from another rate than it then has.
    """
    texts = scene.ground.texts
    row = cells_of(split_lines(texts[scene.source])[source.line - 1])
    row[1 if source.former is None else 2] = _plain(new)
    found = {scene.source: with_row(texts[scene.source], source.line, _row(row))}
    for path in scene.later:
        uplift = UPLIFT.search(" ".join(split_lines(texts[path])))
        change = next((one for one in role_rates(texts[path]) if one.role == source.role), None)
        if uplift is None or change is None:
            raise scene.refuse(f"{path} does not say how it raises the rate of {source.role}")
        former, new = new, raised(new // WHOLE, int(uplift[1])) * WHOLE
        changed = _row([source.role, _plain(former), _plain(new)])
        found[path] = with_row(texts[path], change.line, changed)
    return found


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
