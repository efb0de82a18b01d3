"""From a validation report to a page that stands alone: no script, no network, nothing to run."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from authoring.inert import inert
from generators.build_folder import Build
from validation.families import CODES
from validation.page.cards import cards
from validation.report import ValidationReport

FOLDER = "validation.page"


@dataclass(frozen=True)
class _CodeRow:
    """One code in the table of checks."""

    code: str
    passed: int
    failed: int
    meaning: str


@dataclass(frozen=True)
class _FileRow:
    """One file in the table of tokens."""

    path: str
    role: str
    lines: int
    tokens: int
    needles: tuple[str, ...]


@dataclass(frozen=True)
class _GradientRow:
    """One way of reading a part."""

    read: str
    share: float
    found: str
    band: str


def render(report: ValidationReport, build: Build | None) -> bytes:
    """The page, as UTF-8. Without a build, one that is not whole: the checks alone."""
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = _template().render(
        report=report,
        style=Markup(style),  # noqa: S704 - our own file, hashed as it stands
        style_hash=f"sha256-{digest}",
        failures=report.failures,
        notes=[check for check in report.checks if check.note and check.passed],
        codes=tuple(_codes(report)),
        feasibility=report.figures.feasibility,
        gradient=tuple(_gradient(report)),
        shortcuts=report.figures.shortcuts,
        **_of_build(report, build),
    )
    return page.encode()


def _of_build(report: ValidationReport, build: Build | None) -> Mapping[str, Any]:
    """What the page shows of the build itself."""
    if build is None:
        return {"title": report.scenario, "manifest": None, "cards": (), "files": ()}
    owners: dict[str, list[str]] = {}
    for needle in build.registry.needles:
        for path in sorted({span.path for span in needle.evidence}):
            owners.setdefault(path, []).append(needle.id)
    return {
        "title": build.spec.title,
        "manifest": build.manifest,
        "most_tokens": build.spec.budget.file.most,
        "cards": cards(build, report),
        "files": tuple(
            _FileRow(
                file.path,
                file.role,
                file.lines,
                file.tokens,
                tuple(owners.get(file.path, ())),
            )
            for file in build.manifest.files
        ),
    }


def _codes(report: ValidationReport) -> Iterator[_CodeRow]:
    counts = Counter((check.code, check.passed) for check in report.checks)
    for code in dict.fromkeys(check.code for check in report.checks):
        yield _CodeRow(code, counts[code, True], counts[code, False], CODES.get(code, ""))


def _gradient(report: ValidationReport) -> Iterator[_GradientRow]:
    figures = report.figures.gradient
    if figures is None:
        return
    for row in figures.shares:
        yield _GradientRow(
            read=f"{row.share:.0%} of the files ({row.files})",
            share=row.mean,
            found=f"{row.mean:.1%}",
            band=f"{row.least:.1%} to {row.most:.1%}",
        )
    for head in figures.heads:
        yield _GradientRow(
            read=f"the first {head.lines} lines of every file ({head.share_of_lines:.0%} of all)",
            share=head.found,
            found=f"{head.found:.1%}",
            band=f"up to {head.most:.1%}",
        )


def _shown(value: object) -> object:
    """What is printed: texts of others with nothing in them that acts; escaped by the template."""
    plain = isinstance(value, str) and not isinstance(value, Markup)
    return inert(str(value), keep="\n\t") if plain else value


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader(FOLDER, ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")


@cache
def _style() -> str:
    return (files(FOLDER) / "page.css").read_text()
