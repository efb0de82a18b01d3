"""Judges by name: ours, and those that other packages offer by entry point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points

from authoring.errors import UserError, nearest
from evaluation.judging.judge import Judge
from evaluation.judging.rules.judge import RulesJudge

GROUP = "ocb.judges"
"""Entry points of this group name a class, or a function, that makes a judge from nothing."""

JUDGES: Mapping[str, Callable[[], Judge]] = {
    "rules": RulesJudge,
}
DEFAULT = "rules"


def judge_named(name: str, offered: Iterable[EntryPoint] | None = None) -> Judge:
    """Make the judge of this name. `offered` stands in for the installed entry points.

    Ours keep their names: a package that offers `rules` is not asked. Raises UserError for a name
    that nobody has, and for a judge of another package that cannot be loaded.
    """
    if name in JUDGES:
        return JUDGES[name]()
    points = {
        point.name: point for point in (entry_points(group=GROUP) if offered is None else offered)
    }
    if name not in points:
        raise UserError(f"unknown judge {name!r}", remedy=nearest(name, [*JUDGES, *points]))
    try:
        made: Judge = points[name].load()()
    except Exception as error:  # another package's code may raise anything
        raise UserError(
            f"the judge {name!r} of {points[name].value} cannot be loaded: {error}",
            remedy="install the package again, or name another judge",
        ) from error
    return made
