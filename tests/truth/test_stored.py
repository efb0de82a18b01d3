"""Sessions that real CLIs of many versions wrote: what is read of them is what was sent.

`./dev truth --keep` writes them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.claude_code import is_claude_session
from evaluation.transcripts.claude_stream import is_claude_stream
from generators.lines import CorpusIndex
from tests.truth.accounts import Account, Namer, session_account
from tests.truth.cases import READING
from tests.truth.catalogue import DRIVERS, Driving
from tests.truth.comparison import Channel, compare
from tests.truth.differences import faults
from tests.truth.driver import EXPORT
from tests.truth.keeping import TRUTH, folder_of, read_truth


def kept() -> Iterator[tuple[Driving, str, Path]]:
    """Version, case and folder of each."""
    for driver in DRIVERS.values():
        for path in sorted(folder_of(driver.name).glob(f"*/{TRUTH}")):
            case, _, version = path.parent.name.rpartition("-")
            yield Driving(driver, version), case or READING, path.parent


KEPT = {f"{driving.name} {case}": (driving, case, folder) for driving, case, folder in kept()}
CLAUDE = {name: one for name, one in KEPT.items() if name.startswith("claude-code")}

every_kept = pytest.mark.parametrize(("driving", "name", "folder"), KEPT.values(), ids=KEPT)


def accounts(
    driving: Driving, folder: Path, namer: Namer, index: CorpusIndex
) -> dict[Channel, Account]:
    paths: dict[Channel, Path] = {
        "session": driving.driver.kept(folder),
        "stream": folder / driving.driver.stream,
        "export": folder / EXPORT,
    }
    return {
        channel: session_account(namer, path, index)
        for channel, path in paths.items()
        if path.exists()
    }


@every_kept
def test_what_is_read_is_what_was_sent(
    driving: Driving, name: str, folder: Path, index: CorpusIndex
) -> None:
    case = next(one for one in driving.driver.cases(driving.version, "") if one.name == name)
    truth = read_truth(folder)
    found = accounts(driving, folder, Namer(case, truth.names), index)
    assert "session" in found
    results = compare(case, truth, found)
    assert faults(driving.driver.name, driving.version, name, results) == ()


@every_kept
def test_every_row_is_known_and_readable(driving: Driving, name: str, folder: Path) -> None:
    extra = read_session(driving.driver.kept(folder)).trajectory.extra
    assert extra is not None
    assert extra.evidence is not None
    assert (extra.evidence.unreadable, extra.evidence.unknown) == (0, {})


@pytest.mark.parametrize(("driving", "name", "folder"), CLAUDE.values(), ids=CLAUDE)
def test_a_session_of_claude_is_the_same_by_file_and_by_folder(
    driving: Driving, name: str, folder: Path
) -> None:
    sessions = driving.driver.kept(folder)
    file = main_file(sessions)
    assert is_claude_session(file)
    assert not is_claude_stream(file)
    by_file, by_folder = read_session(file).trajectory, read_session(sessions).trajectory
    assert by_file.steps == by_folder.steps
    assert by_file.subagent_trajectories == by_folder.subagent_trajectories


def main_file(sessions: Path) -> Path:
    """The file of the main agent: the one with the most results, where a session was resumed."""

    def results(file: Path) -> int:
        rows = [json.loads(row) for row in file.read_text().split("\n") if row]
        own = (row for row in rows if not row.get("isSidechain") and row.get("type") == "user")
        return sum("tool_result" in json.dumps(row) for row in own)

    return max(sorted(sessions.glob("*/*.jsonl")), key=lambda file: (results(file), file.name))
