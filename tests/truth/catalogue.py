"""The CLIs that can be driven, and the versions of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from authoring.errors import UserError, nearest
from tests.truth.clis import claude, codex, gemini, opencode
from tests.truth.driver import Driver

VERSION = re.compile(r"\d+\.[\w.+-]+")
"""Nothing that npm would take for a folder or a tag."""

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

    Raises UserError for a CLI that is not known, and for what is no version.
    """
    found: list[Driving] = []
    for name in tuple(names) or tuple(DRIVERS):
        cli, at, version = name.partition("@")
        driver = DRIVERS.get(cli)
        if driver is None:
            raise UserError(f"there is no CLI {cli!r} to drive", remedy=nearest(cli, DRIVERS))
        if at and not VERSION.fullmatch(version):
            known = f"driven by default: {', '.join(driver.versions)}"
            raise UserError(f"{version!r} is no version of {cli}", remedy=known)
        versions = (version,) if version else driver.versions
        found += (Driving(driver, one) for one in versions)
    return tuple(found)


def check_cases(names: Iterable[str], wanted: Iterable[Driving]) -> None:
    """Raises UserError for a case that no version which is to be driven has."""
    known = {case.name for one in wanted for case in one.driver.cases(one.version, "")}
    for name in names:
        if name not in known:
            raise UserError(f"there is no case {name!r}", remedy=nearest(name, known))


LIVE = tuple(
    Driving(driver, version)
    for driver in DRIVERS.values()
    for version in (*((claude.OLDEST,) if driver is claude.DRIVER else ()), driver.pinned)
)
"""Those that the tests drive: two versions of Claude Code, and one of each other."""
