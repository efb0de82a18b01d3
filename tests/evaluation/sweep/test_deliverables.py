"""Files of a hostile home: what is kept, and what is not even looked at."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from evaluation.sweep.deliverables import KEPT, keep_deliverables


def kept(home: Path, target: Path) -> list[str]:
    keep_deliverables(home, target)
    return sorted(str(p.relative_to(target)) for p in target.rglob("*") if p.is_file())


def test_what_the_agent_wrote_is_kept_and_what_its_cli_keeps_is_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    (home / ".claude").mkdir()
    (home / "report.md").write_text("found")
    (home / "notes" / "one.md").write_text("one")
    (home / ".claude" / "session.jsonl").write_text("{}")
    (home / ".profile").write_text("x")
    assert kept(home, tmp_path / "kept") == ["notes/one.md", "report.md"]


def test_links_lead_nowhere(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (home / "file").symlink_to(outside / "secret")
    (home / "folder").symlink_to(outside)
    assert kept(home, tmp_path / "kept") == []


def test_pipes_and_large_files_are_left(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    os.mkfifo(home / "pipe")
    with (home / "large").open("wb") as file:
        file.truncate(KEPT.size + 1)
    assert kept(home, tmp_path / "kept") == []


def test_a_thousand_nested_folders_are_no_fault(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "report.md").write_text("found")
    here = os.open(home, os.O_RDONLY)
    for _ in range(1000):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    assert kept(home, tmp_path / "kept") == ["report.md"]
    subprocess.run(["rm", "-rf", home], check=True)  # Python itself cannot remove so deep a tree
