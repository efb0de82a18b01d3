"""Every family of checks by name: which codes it has, and how it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from authoring.errors import UserError, nearest
from generators.registered import Registrations
from validation import (
    ablation,
    determinism,
    feasibility,
    gradient,
    integrity,
    leaks,
    measurability,
    references,
    subsets,
    witnesses,
    wording,
)
from validation.check import Checked
from validation.readers.codes import CODES as READER_CODES
from validation.shortcuts import check as shortcut_checks
from validation.subject import Subject


@dataclass(frozen=True)
class Means:
    """What the checks need that no build holds."""

    known: Registrations
    """Whence the detectors come, beside the kinds that a build's own spec brings."""
    rebuild: determinism.Rebuild
    tables: feasibility.Tables
    """Harnesses and models with their measured costs and context windows."""


@dataclass(frozen=True)
class Family:
    """Checks that belong together."""

    codes: Mapping[str, str]
    """What each of them proves, in one sentence."""
    run: Callable[[Subject, Means], Checked]


FAMILIES: Mapping[str, Family] = {
    "ablation": Family(ablation.CODES, lambda subject, _: ablation.check_ablation(subject)),
    "subsets": Family(subsets.CODES, lambda subject, _: subsets.check_subsets(subject)),
    "witnesses": Family(witnesses.CODES, lambda subject, _: witnesses.check_witnesses(subject)),
    "references": Family(references.CODES, lambda subject, _: references.check_references(subject)),
    "wording": Family(wording.CODES, lambda subject, _: wording.check_wording(subject)),
    "gradient": Family(gradient.CODES, lambda subject, _: gradient.check_gradient(subject)),
    "shortcuts": Family(
        shortcut_checks.CODES, lambda subject, _: shortcut_checks.check_shortcuts(subject)
    ),
    "measurability": Family(
        measurability.CODES,
        lambda subject, means: measurability.measurability(subject, clip=means.tables.clip),
    ),
    "leaks": Family(leaks.CODES, lambda subject, _: Checked(leaks.leaks_in_text(subject))),
    "feasibility": Family(
        feasibility.CODES,
        lambda subject, means: feasibility.check_feasibility(subject, means.tables),
    ),
    "determinism": Family(
        determinism.CODES,
        lambda subject, means: determinism.determinism(subject, means.rebuild),
    ),
}
TASKS: tuple[tuple[str, ...], ...] = (
    ("ablation", "subsets", "witnesses", "references", "wording", "gradient"),
    ("shortcuts",),
    ("measurability", "leaks", "feasibility", "determinism"),
)
"""What one process does: the first ones share what detectors made of every file."""

CODES: Mapping[str, str] = {
    **integrity.CODES,
    **{code: text for family in FAMILIES.values() for code, text in family.codes.items()},
    **READER_CODES,
}
"""What every check proves."""


def run_families(subject: Subject, names: Iterable[str], means: Means) -> dict[str, Checked]:
    """Run some of the families on a build, by name."""
    return {name: FAMILIES[name].run(subject, means) for name in names}


def families_of(codes: Iterable[str]) -> tuple[str, ...]:
    """The families that have any of these codes. Raises UserError for an unknown code."""
    wanted = set(codes)
    for code in sorted(wanted - set(CODES)):
        raise UserError(f"there is no check {code!r}", remedy=nearest(code, CODES))
    return tuple(name for name, family in FAMILIES.items() if wanted & set(family.codes))
