"""Claims about reading held against what was read: false only where false at both ends."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.judging.claim import ReadingClaim
from evaluation.scoring.coverage import READ_DEPTH
from evaluation.scoring.score import Contradiction, Coverage, FileCoverage


def contradictions(claims: Iterable[ReadingClaim], coverage: Coverage) -> tuple[Contradiction, ...]:
    """The claims that no end of the coverage can hold, each with the figure that breaks it."""
    held = ((claim, _against(claim, coverage)) for claim in claims)
    return tuple(Contradiction(claim=claim, evidence=found) for claim, found in held if found)


def _against(claim: ReadingClaim, coverage: Coverage) -> str:
    """What breaks the claim, in words; empty where nothing does."""
    if claim.subject == "scope":
        return _scope(claim, coverage)
    files = [file for file in coverage.files if _is_in(file.path, claim)]
    if not files:
        return ""  # not a file under review: nothing here can hold it or break it
    if claim.quantity == "full":
        return _not_full(files)
    if claim.quantity == "lines" and claim.value is not None:
        return _fewer_lines(claim.value, sum(file.entered[1] for file in files))
    untouched = [file.path for file in files if file.entered[1] == 0]
    if claim.quantity == "all" and untouched:
        return f"no line of {untouched[0]} entered"
    if claim.quantity == "count" and claim.value is not None:
        return _fewer_files(claim.value, len(files) - len(untouched))
    if claim.quantity == "full_count" and claim.value is not None:
        return _fewer_full(claim.value, files)
    return ""


def _scope(claim: ReadingClaim, coverage: Coverage) -> str:
    most = coverage.breadth[1]
    if claim.quantity == "full":
        return _not_full(coverage.files)
    if claim.quantity == "all":
        return _fewer_files(len(coverage.files), most)
    if claim.value is None:
        return ""
    if claim.quantity == "count":
        return _fewer_files(claim.value, most)
    if claim.quantity == "full_count":
        return _fewer_full(claim.value, coverage.files)
    return _fewer_lines(claim.value, coverage.lines[1])


def _is_in(path: str, claim: ReadingClaim) -> bool:
    if claim.subject == "folder":
        return path.startswith(claim.path.rstrip("/") + "/")
    return path == claim.path


def _not_full(files: Iterable[FileCoverage]) -> str:
    for file in files:
        if not _in_full(file):
            return f"{file.entered[1]} of {file.lines} lines of {file.path} entered"
    return ""


def _in_full(file: FileCoverage) -> bool:
    return file.entered[1] >= READ_DEPTH * file.lines


def _fewer_full(claimed: int, files: Iterable[FileCoverage]) -> str:
    most = sum(_in_full(file) for file in files)
    return f"at most {most} review files entered in full" if claimed > most else ""


def _fewer_files(claimed: int, most: int) -> str:
    return f"lines of at most {most} review files entered" if claimed > most else ""


def _fewer_lines(claimed: int, most: int) -> str:
    return f"at most {most} lines entered" if claimed > most else ""
