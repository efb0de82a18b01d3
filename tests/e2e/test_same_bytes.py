"""The same builds in any process: six settings in which every two values meet."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact
from generators.manifest import Manifest
from ocb.shipped import shipped_specs

REPOSITORY = Path(__file__).parents[2]
OTHER = REPOSITORY / ".venv-other" / "bin" / "python"
"""Where `./dev test` installs ocb for a second version of Python, if the machine has one."""
PYTHONS = (sys.executable, str(OTHER) if OTHER.exists() else sys.executable)
LOCALES = ("C", "C.UTF-8")
ZONES = ("UTC", "Pacific/Kiritimati")
CODE = "from ocb.cli.main import main; main()"


@dataclass(frozen=True)
class Setting:
    """One process that builds; each field picks one of the values above."""

    seed: int
    locale: int
    zone: int
    jobs: int
    python: int

    def build(self, names: Collection[str], size: str, parent: Path) -> dict[str, tuple[str, str]]:
        """The name of each build, with the hashes of its corpus and of its registry."""
        environment = os.environ | {
            "PYTHONHASHSEED": str(self.seed),
            "LC_ALL": LOCALES[self.locale],
            "TZ": ZONES[self.zone],
        }
        command = ["author", "build", *names, "--size", size, "--jobs", str(self.jobs + 1)]
        done = subprocess.run(
            [PYTHONS[self.python], "-c", CODE, *command, "-o", str(parent)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        made = {}
        for folder in done.stdout.split():
            manifest = read_artefact(Path(folder) / "manifest.json", Manifest)
            made[manifest.build] = (manifest.tree, manifest.registry_sha256)
        return made


SETTINGS = (
    Setting(seed=1, locale=0, zone=0, jobs=0, python=0),
    Setting(seed=1, locale=1, zone=1, jobs=1, python=1),
    Setting(seed=2, locale=0, zone=1, jobs=0, python=1),
    Setting(seed=2, locale=1, zone=0, jobs=1, python=0),
    Setting(seed=3, locale=0, zone=0, jobs=1, python=1),
    Setting(seed=3, locale=1, zone=1, jobs=0, python=0),
)


def test_every_two_values_meet_in_some_setting() -> None:
    levels = {"seed": (1, 2, 3), "locale": (0, 1), "zone": (0, 1), "jobs": (0, 1), "python": (0, 1)}
    for one, two in combinations(levels, 2):
        met = {(getattr(setting, one), getattr(setting, two)) for setting in SETTINGS}
        assert met == set(product(levels[one], levels[two]))


@pytest.fixture(scope="module")
def standard(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, tuple[str, str]]]:
    return [
        setting.build(shipped_specs(), "standard", tmp_path_factory.mktemp("standard"))
        for setting in SETTINGS
    ]


def test_the_standard_builds_are_the_same_in_every_setting(
    standard: list[dict[str, tuple[str, str]]],
) -> None:
    assert len(standard[0]) == len(shipped_specs())
    assert all(made == standard[0] for made in standard)


def test_the_large_builds_are_the_same_in_settings_that_share_nothing(tmp_path: Path) -> None:
    first, second = (
        setting.build(shipped_specs(), "large", tmp_path / str(setting.seed))
        for setting in (SETTINGS[0], Setting(seed=2, locale=1, zone=1, jobs=1, python=1))
    )
    assert len(first) == len(shipped_specs())
    assert first == second
