"""`ocb report`: the figures of scored runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from evaluation.report.collect import collect
from evaluation.report.export_json import to_report_json
from evaluation.report.table import build_report
from evaluation.report.terminal import print_report

EXIT_NOT_WHOLE = 1


@click.command(name="report")
@click.argument("runs", type=click.Path(path_type=Path), metavar="RUNS")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(*, runs: Path, as_json: bool) -> None:
    """Show the figures of RUNS: the folder of a sweep, or one that holds several.

    Exits with 1 where a planned run is unfinished or lost.
    """
    report = build_report(collect(runs))
    if as_json:
        click.echo(to_report_json(report))
    else:
        print_report(report, sys.stdout)
    if report.unfinished or report.lost:
        click.get_current_context().exit(EXIT_NOT_WHOLE)
