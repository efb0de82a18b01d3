"""`ocb score` on the command line: what it says of folders that hold nothing to score."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocb.cli.main import run


@pytest.mark.parametrize("named", ["gone", "file"])
def test_where_there_is_no_folder_of_runs_that_is_said(
    named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert run(["score", str(tmp_path / named), "--build", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err
