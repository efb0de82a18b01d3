"""The CLIs that can be driven, and the versions of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from authoring.errors import UserError, nearest
from tests.truth.clis import claude, codex, gemini, opencode
from tests.truth.driver import Driver

DRIVERS: Mapping[str, Driver] = {
    one.name: one for one in (claude.DRIVER, codex.DRIVER, gemini.DRIVER, opencode.DRIVER)
}


@dataclass(frozen=True)
class Driving:
    """One version of one CLI."""

    driver: Driver
    version: str

    @property
    def name(self) -> str:
        return f"{self.driver.name}@{self.version}"


def drivings(names: Iterable[str]) -> tuple[Driving, ...]:
    """`codex` stands for its default versions, `codex@0.118.0` for one; nothing for all defaults.

    Raises UserError for a CLI that is not known.
    """
    found: list[Driving] = []
    for name in tuple(names) or tuple(DRIVERS):
        cli, _, version = name.partition("@")
        driver = DRIVERS.get(cli)
        if driver is None:
            raise UserError(f"there is no CLI {cli!r} to drive", remedy=nearest(cli, DRIVERS))
        versions = (version,) if version else driver.versions
        found += (Driving(driver, one) for one in versions)
    return tuple(found)


LIVE = tuple(
    Driving(driver, version)
    for driver in DRIVERS.values()
    for version in (*((claude.OLDEST,) if driver is claude.DRIVER else ()), driver.pinned)
)
"""Those that the tests drive: two versions of Claude Code, and one of each other."""
