"""`ocb validate`: prove the needles of a build, and seal it."""

from __future__ import annotations

from pathlib import Path

import click

from authoring.artefacts import Value, to_json
from generators.build_paths import BuildPaths
from generators.catalogue import installed
from ocb import __version__
from ocb.cli.main import printable
from validation.report import ValidationReport
from validation.seal import validate_build

EXIT_NOT_SEALED = 1


class Validated(Value):
    """What `--json` prints."""

    builds: tuple[ValidationReport, ...]


@click.command(name="validate")
@click.argument("builds", nargs=-1, required=True, metavar="BUILD...")
@click.option("--json", "as_json", is_flag=True, help="Print every check as JSON.")
def command(*, builds: tuple[str, ...], as_json: bool) -> None:
    """Prove the needles of each BUILD, and seal it.

    With the needles in, each kind's detector must find every needle at its registered lines and
    nothing else; with them out, nothing at all. Writes validation.json into the build. Exits with
    1 where a build is not sealed.
    """
    detector_of = installed().detector
    reports = []
    for name in builds:
        report = validate_build(BuildPaths(Path(name)), detector_of, __version__)
        reports.append(report)
        if not as_json:
            _show(report)
    if as_json:
        click.echo(to_json(Validated(builds=tuple(reports))).decode(), nl=False)
    if any(report.level is None for report in reports):
        click.get_current_context().exit(EXIT_NOT_SEALED)


def _show(report: ValidationReport) -> None:
    sealed = f"sealed, {report.level}" if report.level else "not sealed"
    click.echo(f"{report.build}: {sealed} ({len(report.checks)} checks)")
    for check in report.failures:
        subject = f" {check.needle}" if check.needle else ""
        click.echo(printable(f"  failed: {check.code}{subject}: {check.reason}"))
