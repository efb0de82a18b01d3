"""What becomes of a reading: in a later run without a reader, and where none could be had."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from generators.build import Build
from ocb.cli.validation_table import print_report
from tests.validating import validated
from tests.validation.harbour.harbour import build_harbour, registrations
from validation.check import Check, Checked
from validation.families import FAMILIES
from validation.readers.figures import NeedleReading, ReaderFigures
from validation.readers.metering import Meter
from validation.readers.rates import share
from validation.report import ValidationReport
from validation.seal import seal_of
from validation.validate import INTEGRITY, READERS, report_of

WITHOUT = {name: Checked(()) for name in (INTEGRITY, *FAMILIES)}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return build_harbour(tmp_path)


def validate(build: Build) -> ValidationReport:
    return validated(build.paths, registrations())


def reading(build: Build) -> tuple[tuple[Check, ...], ReaderFigures]:
    """What a reader found that missed the first needle twice."""
    names = [needle.id for needle in build.registry.needles]
    rows = tuple(
        NeedleReading(
            needle=name,
            planted=share(10 if at else 8, 10),
            twin=share(0, 10),
            partly=0,
            at_its_lines=8,
        )
        for at, name in enumerate(names)
    )
    figures = ReaderFigures(
        reader="openai:m-1",
        models=("m",),
        on=date(2025, 3, 7),
        mode="excerpt",
        samples=10,
        threshold=0.5,
        false_alarms=0.2,
        findings_per_sample=1,
        needles=rows,
        failed=(),
        calls=Meter().account(0, None, None),
    )
    return tuple(Check(code="reader", needle=name, passed=True) for name in names), figures


def read(build: Build) -> ValidationReport:
    """The report of a run with a reader, in the build."""
    checks, figures = reading(build)
    report = report_of(build.paths, WITHOUT | {READERS: Checked(checks, figures)}, "0.0.0")
    write_artefact(build.paths.validation, report)
    return report


def test_a_run_without_a_reader_keeps_what_one_found_of_the_same_build(build: Build) -> None:
    structural = validate(build)
    assert read(build).level == "read"
    checks, figures = reading(build)
    note = Check(
        code="reader", passed=True, note="read by openai:m-1 on 2025-03-07, and not again now"
    )
    # Twice: what was kept once is kept again, and noted once.
    for _ in range(2):
        again = validate(build)
        assert again.level == seal_of(build.paths) == "read"
        assert again.figures.reader == figures
        assert again.checks == (*structural.checks, *checks, note)


def of_another_build(path: Path) -> None:
    report = read_artefact(path, ValidationReport)
    write_artefact(path, report.model_copy(update={"manifest_sha256": "0" * 64}))


def of_another_registry(path: Path) -> None:
    report = read_artefact(path, ValidationReport)
    write_artefact(path, report.model_copy(update={"registry_sha256": "0" * 64}))


def without_a_seal(path: Path) -> None:
    report = read_artefact(path, ValidationReport)
    write_artefact(path, report.model_copy(update={"level": None}))


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize(
    "spoil", [of_another_build, of_another_registry, without_a_seal, torn], ids=lambda f: f.__name__
)
def test_no_reading_is_kept_of_anything_else(build: Build, spoil: Callable[[Path], None]) -> None:
    read(build)
    spoil(build.paths.validation)
    again = validate(build)
    assert (again.level, again.figures.reader) == ("structural", None)


def test_the_head_says_by_whom_and_how_often_the_hardest_needle_was_found(build: Build) -> None:
    told = io.StringIO()
    print_report(read(build), told, kept=True)
    head, *_ = told.getvalue().splitlines()
    assert ": sealed, read by openai:m-1, least rate 8 of 10 (" in " ".join(told.getvalue().split())
    assert head.startswith(build.manifest.build)


def test_no_reading_is_kept_where_another_check_does_not_hold(build: Build) -> None:
    read(build)
    path = build.paths.file("boats/elm/log.md")
    path.touch()
    again = validate(build)
    assert (again.level, again.figures.reader) == (None, None)


@pytest.mark.parametrize(
    ("code", "level"),
    [pytest.param("reader-failed", "structural", id="no-answer"), ("reader", None)],
)
def test_a_reader_that_gave_no_answer_takes_no_seal_away_and_one_that_missed_does(
    build: Build, code: str, level: str | None
) -> None:
    (first, *others), figures = reading(build)
    failed = Check(code=code, needle=first.needle, passed=False, reason="it did not")
    found = WITHOUT | {READERS: Checked((failed, *others), figures)}
    report = report_of(build.paths, found, "0.0.0")
    assert report.level == level
    assert report.failures == (failed,)
