"""A data frame, printed inside a sandbox: by pandas where it can be had there, else as it would."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from evaluation.sandboxes.arguments import SYSTEM_PYTHON
from evaluation.sandboxes.sandbox import Program
from evaluation.sandboxes.stage import link_or_copy

INSIDE = "/opt/frame"
PACKAGES = ("pandas", "numpy", "numpy.libs", "dateutil", "six.py", "tzdata", "pytz")
PRINT = "import pandas; print(pandas.read_csv('shell/frame.csv', header=None).to_string())"
WITHOUT = (
    "awk -F, '{ printf \"%-3d %14s %9s %9s %14s\\n\", NR - 1, $1, $2, $3, $4 }' shell/frame.csv"
)


@dataclass(frozen=True)
class Frame:
    """How a data frame is printed."""

    command: str
    programs: tuple[Program, ...] = ()
    """What has to lie in the sandbox for it."""


def make_frame(folder: Path) -> Frame:
    """Lay pandas out in a folder, without its tests, for the Python that a sandbox has."""
    if not _same_python():
        return Frame(WITHOUT)
    found = find_spec("pandas")
    assert found is not None
    assert found.origin is not None
    site = Path(found.origin).parent.parent
    for name in PACKAGES:
        source = site / name
        if source.is_dir():
            shutil.copytree(
                source,
                folder / name,
                ignore=shutil.ignore_patterns("tests", "__pycache__", "*.pyi"),
                copy_function=link_or_copy,
            )
        elif source.is_file():
            link_or_copy(str(source), str(folder / name))
    command = f'PYTHONPATH={INSIDE} {SYSTEM_PYTHON} -B -c "{PRINT}"'
    return Frame(command, (Program(folder, INSIDE),))


def _same_python() -> bool:
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return SYSTEM_PYTHON.exists() and SYSTEM_PYTHON.resolve().name == name
