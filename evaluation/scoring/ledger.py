"""Claims about reading held against what was read: false only where false at both ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from evaluation.judging.claim import ReadingClaim
from evaluation.scoring.joint import OPENED_RUN, READ_DEPTH
from evaluation.scoring.score import Contradiction, Coverage, FileCoverage, Interval

Status = Literal["supported", "contradicted", "not checkable"]


class Holding(NamedTuple):
    """What the reading makes of one claim, with the figure that it was held against."""

    status: Status
    evidence: str


def contradictions(
    claims: Iterable[ReadingClaim], coverage: Coverage, own: Coverage | None
) -> tuple[Contradiction, ...]:
    """The claims that no end of the coverage can hold, each with the figure that breaks it.

    `own` is that of the agent that claims: what a sub-agent opened, it did not. None where nobody
    can tell who read what; then a denial is not checkable.
    """
    held = (
        (claim, hold(claim, of))
        for claim in claims
        if (of := own if claim.quantity == "none" else coverage) is not None
    )
    return tuple(
        Contradiction(claim=claim, evidence=holding.evidence)
        for claim, holding in held
        if holding.status == "contradicted"
    )


def hold(claim: ReadingClaim, coverage: Coverage) -> Holding:
    """Hold a claim against a coverage: true at both ends, false at both, or not to be told."""
    if claim.subject == "scope":
        files: Sequence[FileCoverage] = coverage.files
        touched, lines = coverage.breadth, coverage.lines
    else:
        files = [file for file in coverage.files if _is_in(file.path, claim)]
        # No files together can gain more than all of them can.
        touched = _within(_count(file.entered for file in files), coverage.breadth)
        lines = _within(_sum(file.entered for file in files), coverage.lines)
    if not files:
        return Holding("not checkable", f"{claim.path or 'what it speaks of'} was not measured")
    beyond = _of_others(claim, len(files))
    if beyond:
        return Holding("not checkable", beyond)
    return _held(claim, files, touched, lines)


def _of_others(claim: ReadingClaim, size: int) -> str:
    """Why the claim may be of other files than these; empty where it is not."""
    if claim.doubtful:
        return "it is not clear which files it speaks of"
    counted = claim.quantity in ("all", "count", "full_count")
    if counted and claim.subject != "file" and (claim.value or 0) > size:
        return f"it speaks of more files than the {size} at hand"
    return ""


def _held(
    claim: ReadingClaim, files: Sequence[FileCoverage], touched: Interval, lines: Interval
) -> Holding:
    match claim.quantity:
        case "all" if claim.value in (None, len(files)):
            return _touched_all(files, touched)
        case "all":
            return _at_least(touched, claim.value, f"of {_files(len(files))} touched")
        case "count":
            return _at_least(touched, claim.value, f"of {_files(len(files))} touched")
        case "full":
            return _full_all(files, lines)
        case "full_count":
            told = f"of {_files(len(files))} entered in full"
            return _at_least(_in_full(files, lines), claim.value, told)
        case "lines":
            total = sum(file.lines for file in files)
            return _at_least(lines, claim.value, f"of {_lines(total)} entered")
        case "range":
            return _range(files, claim.lines)
        case "none":
            return _unopened(files)


def _is_in(path: str, claim: ReadingClaim) -> bool:
    if claim.subject == "folder":
        return path.startswith(claim.path.rstrip("/") + "/")
    return path == claim.path


def _at_least(found: Interval, claimed: int | None, told: str) -> Holding:
    evidence = f"{_written(found)} {told}"
    if claimed is None:
        return Holding("not checkable", evidence)
    if found[0] >= claimed:
        return Holding("supported", evidence)
    return Holding("contradicted" if found[1] < claimed else "not checkable", evidence)


def _touched_all(files: Sequence[FileCoverage], touched: Interval) -> Holding:
    if len(files) == 1:
        return _at_least(files[0].entered, 1, f"of {_lines_of(files[0])} entered")
    first = next((f": no line of {file.path} entered" for file in files if not file.entered[1]), "")
    return _at_least(touched, len(files), f"of {_files(len(files))} touched{first}")


def _full_all(files: Sequence[FileCoverage], lines: Interval) -> Holding:
    ends = _in_full(files, lines)
    broken = next((file for file in files if not read_in_full(file)[1]), None)
    if broken is None and len(files) == 1:
        broken = files[0]
    if broken is not None:
        evidence = f"{_written(broken.entered)} of {_lines_of(broken)} entered"
    else:
        evidence = f"{_written(ends)} of {_files(len(files))} entered in full"
    return Holding(_at_least(ends, len(files), "").status, evidence)


def _in_full(files: Sequence[FileCoverage], lines: Interval) -> Interval:
    """How many are read in full. No more lines can have entered than those of all files together:
    at the most they are those that lack the fewest."""
    ends = [read_in_full(file) for file in files]
    missing = sorted(
        _needed(file.lines) - file.entered[0]
        for file, end in zip(files, ends, strict=True)
        if end == (0, 1)
    )
    least = sum(end[0] for end in ends)
    added = accumulate(missing)
    return (least, least + sum(total <= lines[1] - lines[0] for total in added))


def _needed(lines: int) -> int:
    """So many of the lines make a file, or a part of one, read in full."""
    return -int(-READ_DEPTH * lines // 1)


def read_in_full(file: FileCoverage) -> Interval:
    """1 at each end where the file is read in full, else 0."""
    least, most = (int(entered >= READ_DEPTH * file.lines) for entered in file.entered)
    return (least, most)


def _range(files: Sequence[FileCoverage], claimed: Interval | None) -> Holding:
    if claimed is None or len(files) != 1:
        return Holding("not checkable", "it is not told which lines of which file")
    file = files[0]
    first, last = claimed[0], min(claimed[1], file.lines)
    if first > last:
        return Holding("not checkable", f"{file.path} has {file.lines} lines")
    size = last - first + 1
    sure = sum(max(0, min(last, end) - max(first, start) + 1) for start, end in file.ranges)
    found = (sure, min(size, sure + file.entered[1] - file.entered[0]))
    return _at_least(found, _needed(size), f"of lines {first}-{last} of {file.path} entered")


def _unopened(files: Sequence[FileCoverage]) -> Holding:
    """Not opened: false where a run of lines that opens a file surely entered. A line that a search
    showed breaks no such claim."""
    for file in files:
        needed = min(OPENED_RUN, file.lines)
        if any(last - first + 1 >= needed for first, last in file.ranges):
            shown = f"{_written(file.entered)} of {_lines_of(file)} entered"
            return Holding("contradicted", shown)
    entered = _sum(file.entered for file in files)
    status: Status = "supported" if entered[1] == 0 else "not checkable"
    return Holding(status, f"{_written(entered)} lines entered")


def _count(ends: Iterable[Interval]) -> Interval:
    """How many are above zero, at each end."""
    found = list(ends)
    return (sum(least > 0 for least, _ in found), sum(most > 0 for _, most in found))


def _sum(ends: Iterable[Interval]) -> Interval:
    found = list(ends)
    return (sum(least for least, _ in found), sum(most for _, most in found))


def _within(ends: Interval, every: Interval) -> Interval:
    return (ends[0], min(ends[1], ends[0] + every[1] - every[0]))


def _written(found: Interval) -> str:
    return str(found[0]) if found[0] == found[1] else f"{found[0]} to {found[1]}"


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"


def _lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


def _lines_of(file: FileCoverage) -> str:
    return f"{_lines(file.lines)} of {file.path}"
