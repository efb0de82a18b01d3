"""`ocb validate`: prove the needles of builds, and seal them."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from authoring.artefacts import Value, read_artefact, to_json
from authoring.errors import InfrastructureError, UserError, nearest
from generators.build_paths import BuildPaths
from generators.models.deadline import SECONDS
from generators.models.prices import MOST_DOLLARS, Price
from generators.registry import Registry
from ocb.cli.main import printable
from ocb.cli.validation_table import print_report
from ocb.processes import usable_cores
from ocb.validating import (
    Read,
    Settings,
    ValidationFailure,
    ValidationProgress,
    validate_builds,
)
from validation.check import Check, Checked
from validation.families import FAMILIES, families_of
from validation.feasibility import load_tables
from validation.integrity import CODES as INTEGRITY_CODES
from validation.readers.asking import Standing
from validation.readers.codes import CODES as READER_CODES
from validation.readers.reader import Budget, open_reader
from validation.report import ValidationReport
from validation.subject import Subject

EXIT_NOT_SEALED = 1
ERASE_LINE = "\r\x1b[K"
BAR = 24
"""Characters of the bar."""
PATH = click.Path(path_type=Path)


class _Number(click.FloatRange):
    """A number in a range. `nan` is in none, and click takes it for one that is in all."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


class Validated(Value):
    """What `--json` prints."""

    builds: tuple[ValidationReport, ...]


@click.command(name="validate")
@click.argument("builds", nargs=-1, required=True, metavar="BUILD...")
@click.option("--only", "codes", multiple=True, metavar="CODE", help="Only this check. Repeatable.")
@click.option("--needle", "needles", multiple=True, metavar="ID", help="Only of this needle.")
@click.option(
    "--reader",
    metavar="VENDOR:MODEL",
    help="Have a model read too: anthropic:MODEL or openai:MODEL. Seals the level `read`.",
)
@click.option("--samples", type=click.IntRange(10), help="Of each needle. [default: the spec's]")
@click.option(
    "--max-usd",
    type=_Number(0, MOST_DOLLARS, min_open=True),
    help="Most that a build's reader may cost.",
)
@click.option(
    "--price",
    nargs=2,
    type=_Number(0, MOST_DOLLARS),
    metavar="IN OUT",
    help="Of the reader: US dollars a million tokens of input and of output.",
)
@click.option(
    "--timeout",
    type=_Number(0, 86_400, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Of one call of a reader.",
)
@click.option("--cache", type=PATH, metavar="DIR", help="Where a reader's answers are kept.")
@click.option("--models", type=PATH, metavar="FILE", help="Context windows of more models, YAML.")
@click.option("--beside", type=PATH, metavar="DIR", help="Where the spec lay, to build it again.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes at once. [default: the cores]")
@click.option("--json", "as_json", is_flag=True, help="Print every check as JSON.")
def command(
    *,
    builds: tuple[str, ...],
    codes: tuple[str, ...],
    needles: tuple[str, ...],
    reader: str | None,
    samples: int | None,
    max_usd: float | None,
    price: tuple[float, float] | None,
    timeout: float,
    cache: Path | None,
    models: Path | None,
    beside: Path | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Prove the needles of each BUILD, and seal it.

    Each needle must be found at its registered lines and nowhere else, by nothing but reading, and
    what must be read must fit where agents read it. Writes validation.json and validation.html into
    the build. With --only or --needle nothing is written or sealed. Exits with 1 where a check does
    not hold.
    """
    paths = tuple(BuildPaths(Path(name)) for name in dict.fromkeys(builds))
    part = _Part.of(paths, codes, needles)
    reading = _Reading(samples, _budget(price, max_usd, timeout), cache)
    settings = Settings(
        tables=load_tables(models),
        beside=beside,
        families=part.families,
        keep=not (codes or needles),
        read=reading.of(reader, part) if reader else None,
        jobs=jobs or usable_cores(),
    )
    outcomes = validate_builds(paths, settings, _Teller())
    reports = tuple(part.of_report(one) for one in outcomes if isinstance(one, ValidationReport))
    for report in reports:
        if not report.checks:
            raise UserError(
                f"{report.build}: nothing was checked",
                remedy="the checks of --only speak of no such needle, or need --reader",
            )
    if as_json:
        click.echo(to_json(Validated(builds=reports)).decode(), nl=False)
    else:
        for report in reports:
            print_report(report, sys.stdout, kept=settings.keep)
    _raise_for(tuple(one for one in outcomes if isinstance(one, ValidationFailure)), len(paths))
    if any(report.failures for report in reports):
        click.get_current_context().exit(EXIT_NOT_SEALED)


@dataclass(frozen=True)
class _Part:
    """What was asked to be seen of all checks."""

    codes: frozenset[str]
    needles: frozenset[str]

    @classmethod
    def of(
        cls, builds: Iterable[BuildPaths], codes: Iterable[str], needles: Iterable[str]
    ) -> _Part:
        """Raises UserError for a code that is none, and for a needle that no build has."""
        part = cls(frozenset(codes), frozenset(needles))
        families_of(part.codes)
        known = {
            needle.id
            for paths in builds
            if part.needles
            for needle in read_artefact(paths.registry, Registry).needles
        }
        for name in sorted(part.needles - known):
            raise UserError(f"no build has a needle {name!r}", remedy=nearest(name, known))
        return part

    @property
    def families(self) -> tuple[str, ...]:
        return families_of(self.codes) if self.codes else tuple(FAMILIES)

    def of_report(self, report: ValidationReport) -> ValidationReport:
        """The report with nothing else in it; that a build is not whole is always told."""
        kept = tuple(
            check
            for check in report.checks
            if (not self.codes or check.code in self.codes or self._stops_all(check))
            and (not self.needles or check.needle in self.needles or self._stops_all(check))
        )
        return report.model_copy(update={"checks": kept})

    def _stops_all(self, check: Check) -> bool:
        return not check.passed and check.code in INTEGRITY_CODES


def _budget(price: tuple[float, float] | None, most: float | None, seconds: float) -> Budget:
    known = Price(input=price[0], output=price[1]) if price else None
    return Budget(price=known, most_usd=most, seconds=seconds)


@dataclass(frozen=True)
class _Reading:
    """How a reader is asked."""

    samples: int | None
    budget: Budget
    cache: Path | None

    def of(self, name: str, part: _Part) -> Read:
        """All needles, or those named. Raises UserError before anything is checked."""
        if part.codes and not part.codes & set(READER_CODES):
            raise UserError(
                "--only names no check of a reader",
                remedy="leave --reader out, or add --only reader",
            )
        # statsmodels takes a second to load, which only readers need.
        from validation.readers.check import ReaderPlan, check_read

        reader = open_reader(name, os.environ, budget=self.budget, cache=self.cache)
        plan = ReaderPlan(samples=self.samples)
        today = datetime.now(tz=UTC).date()

        def read(subject: Subject) -> Checked:
            progress = _ReaderProgress(subject.build.manifest.build)
            return check_read(
                subject,
                reader,
                on=today,
                plan=plan,
                needles=part.needles or None,
                progress=progress,
            )

        return read


class _Line:
    """One line on stderr: overwritten on a terminal, told once it is done elsewhere."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()

    def show(self, text: str, *, done: bool) -> None:
        if self._live:
            click.echo(ERASE_LINE + ("" if done else printable(text)), err=True, nl=False)
        elif done:
            click.echo(printable(text), err=True)


class _Teller:
    """Tells how many of the tasks are done, and which was the last."""

    def __init__(self) -> None:
        self._line = _Line()

    def __call__(self, progress: ValidationProgress) -> None:
        share = progress.finished / progress.planned if progress.planned else 1.0
        bar = "#" * round(share * BAR) + "." * (BAR - round(share * BAR))
        text = f"[{bar}] {progress.finished}/{progress.planned} {progress.doing}"
        self._line.show(text, done=progress.finished == progress.planned)


class _ReaderProgress:
    """Tells how many samples a reader has answered, and how many could not be had."""

    def __init__(self, build: str) -> None:
        self._build = build
        self._line = _Line()

    def __call__(self, standing: Standing) -> None:
        told = f"{standing.answered} of {standing.of} samples answered"
        if standing.failed:
            told += f", {standing.failed} failed"
        self._line.show(f"{self._build}: {told}", done=standing.done == standing.of)


def _raise_for(failures: tuple[ValidationFailure, ...], asked: int) -> None:
    """Raises what was wrong with the builds that could not be validated, as one error."""
    if not failures:
        return
    lines = [f"{one.build}: {one.message}" if asked > 1 else one.message for one in failures]
    worst = max(one.exit_code for one in failures)
    kind = InfrastructureError if worst == InfrastructureError.exit_code else UserError
    raise kind("\n".join(lines))
