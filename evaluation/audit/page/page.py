"""From an audit to a page that stands alone: no script, no network, nothing to run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from authoring.inert import inert
from evaluation.audit.audit import Audited
from evaluation.audit.result import ORIGINS, UNDECIDED, AuditedFile, counted
from evaluation.reading.engine import FileReading
from evaluation.scoring.score import MISLEADING, RULES, Interval
from generators.lines import split_lines

FOLDER = "evaluation.audit.page"
MOST_LINES = 60_000
"""Lines of all files together that the page shows."""
MOST_FILES = 2_000
TITLE = b"<title>What was read: "
HEAD = 4096
"""Bytes of a page in which its title stands."""
LONGEST_LINE = 2_000
"""Characters of a line that are shown."""

Shade = Literal["visible", "entered", "perhaps", "part", "gap"]


@dataclass(frozen=True)
class _Run:
    """Lines one after another that are shaded alike."""

    shade: Shade
    text: str


@dataclass(frozen=True)
class _FileView:
    """One file: its row and, where there is room, its lines."""

    file: AuditedFile
    folder: str
    name: str
    entered: str
    visible: str
    share: float
    perhaps: float
    """The share that may have entered beyond `share`."""
    runs: tuple[_Run, ...]
    left_out: int
    """Lines that there was no room for."""


@dataclass(frozen=True)
class _Folder:
    """The files of one folder, as the tree shows them."""

    path: str
    files: tuple[_FileView, ...]
    entered: int
    lines: int

    @property
    def share(self) -> float:
        return self.entered / self.lines if self.lines else 0.0


def is_page(path: Path) -> bool:
    """Whether a file is empty or a page that was made here, and not somebody's own. Raises
    OSError."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    return not head or TITLE in head


def render(audited: Audited) -> bytes:
    """The page, as UTF-8."""
    audit = audited.audit
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    views = tuple(_views(audited))
    page = _template().render(
        audit=audit,
        style=Markup(style),  # noqa: S704 - our own file, hashed as it stands
        style_hash=f"sha256-{digest}",
        folders=tuple(_folders(views)),
        hidden=len(audit.files) - len(views),
        verdicts=_verdicts(audited),
        undecided=_undecided(audited),
        origin=_origin(audited),
        reports=[report for report in audit.subagent_claims or () if report.claims],
        breadth=_written(audit.coverage.union.breadth) if audit.coverage else "",
        lines=_written(audit.coverage.union.lines) if audit.coverage else "",
    )
    return page.encode()


@dataclass(frozen=True)
class _VerdictRow:
    rule: str
    value: str
    misleading: bool


def _verdicts(audited: Audited) -> tuple[_VerdictRow, ...]:
    verdict = audited.audit.verdict
    if verdict is None:
        return ()
    return tuple(
        _VerdictRow(rule, verdict[rule].value, verdict[rule].value in MISLEADING) for rule in RULES
    )


def _undecided(audited: Audited) -> str:
    """Why verdicts are undecided; empty where all are decided."""
    verdicts = (audited.audit.verdict or {}).values()
    whys = (UNDECIDED[one.why] for one in verdicts if one.why)
    return "; ".join(dict.fromkeys(whys))


def _origin(audited: Audited) -> str:
    found = [one for one in (audited.audit.origin or {}).values() if one is not None]
    return ORIGINS[found[0]] if found else ""


def _views(audited: Audited) -> Iterator[_FileView]:
    room = MOST_LINES
    for file in audited.audit.files[:MOST_FILES]:
        folder, _, name = file.path.rpartition("/")
        reading = audited.reading.union.of(file.path) if audited.reading else None
        shown = min(room, file.lines)
        room -= shown
        least, most = file.entered or (0, 0)
        yield _FileView(
            file=file,
            folder=folder,
            name=name,
            entered=_written(file.entered),
            visible=_written(file.visible),
            share=least / file.lines,
            perhaps=(most - least) / file.lines,
            runs=tuple(_runs(audited.corpus.index.text(file.path), reading, shown)),
            left_out=file.lines - shown,
        )


def _runs(text: str, reading: FileReading | None, shown: int) -> Iterator[_Run]:
    run: list[str] = []
    last: Shade | None = None
    for number, line in enumerate(split_lines(text)[:shown], start=1):
        shade = _shade(number, reading)
        if last is not None and shade != last:
            yield _Run(last, "".join(run))
            run = []
        last = shade
        cut = f"{line[:LONGEST_LINE]}\u2026" if len(line) > LONGEST_LINE else line
        run.append(f"{number:6}  {inert(cut.rstrip(chr(13)), keep=chr(9))}\n")
    if last is not None:
        yield _Run(last, "".join(run))


def _shade(number: int, reading: FileReading | None) -> Shade:
    if reading is None:
        return "gap"
    if number in reading.visible:
        return "visible"
    if number in reading.sure:
        return "entered"
    if number in reading.possible:
        return "perhaps"
    return "part" if number in reading.partial else "gap"


def _folders(views: Sequence[_FileView]) -> Iterator[_Folder]:
    for path in dict.fromkeys(view.folder for view in views):
        inside = tuple(view for view in views if view.folder == path)
        yield _Folder(
            path=path,
            files=inside,
            entered=sum((view.file.entered or (0, 0))[0] for view in inside),
            lines=sum(view.file.lines for view in inside),
        )


def _written(found: Interval | None) -> str:
    if found is None:
        return "unknown"
    return str(found[0]) if found[0] == found[1] else f"{found[0]} to {found[1]}"


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
    environment.filters["counted"] = counted
    return environment.get_template("page.html.j2")


@cache
def _style() -> str:
    return (files(FOLDER) / "page.css").read_text()
