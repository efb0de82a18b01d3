"""The scenario specs that come with ocb: in the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

import ocb
from authoring.errors import SpecError, UserError, nearest
from authoring.yaml_source import Scalar, node_at, read_yaml


def shipped_specs() -> dict[str, Path]:
    """The file of each shipped scenario, by its id, sorted."""
    found: dict[str, Path] = {}
    for path in sorted(_folder().glob("*.yaml")):
        try:
            name = node_at(read_yaml(path).root, "id")
        except SpecError:
            name = None
        # A spec that does not parse is still listed: reading it tells what is wrong.
        found[name.text if isinstance(name, Scalar) else path.stem] = path
    return dict(sorted(found.items()))


def _folder() -> Path:
    package = Path(ocb.__file__).parent
    installed = package / "scenario_specs"
    return installed if installed.is_dir() else package.parent / "scenario_specs"


def find_spec(name: str) -> Path:
    """The file that a user means by a path or by the id of a shipped scenario.

    Raises UserError where it is neither.
    """
    path = Path(name)
    if path.suffix in {".yaml", ".yml"} or len(path.parts) > 1 or path.is_file():
        return path
    shipped = shipped_specs()
    if name not in shipped:
        raise UserError(
            f"{name!r} is no file and no shipped scenario", remedy=nearest(name, shipped)
        )
    return shipped[name]
