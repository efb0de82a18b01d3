from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.agents import catalogue
from evaluation.agents.claude_code.harness import ClaudeCode
from evaluation.agents.fixed.harness import Fixed


def brought(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    def entry_points(*, group: str) -> EntryPoints:
        return EntryPoints(points).select(group=group)

    monkeypatch.setattr(catalogue, "entry_points", entry_points)


def test_each_harness_goes_by_its_name(tmp_path: Path) -> None:
    for name in catalogue.HARNESSES:
        assert catalogue.make_harness(name, tmp_path).profile.name == name


def test_an_unknown_harness_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="did you mean 'claude-code'"):
        catalogue.make_harness("claude-cod", tmp_path)
    with pytest.raises(UserError, match="did you mean 'claude-code'"):
        catalogue.program_to_install("claudecode")


def test_a_harness_of_another_package_is_found_by_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "evaluation.agents.claude_code.harness:ClaudeCode"
    brought(monkeypatch, EntryPoint("theirs", value, catalogue.GROUP))
    assert "theirs" in catalogue.harness_names()
    assert isinstance(catalogue.make_harness("theirs", tmp_path), ClaudeCode)


def test_no_package_takes_the_place_of_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "evaluation.agents.claude_code.harness:ClaudeCode"
    brought(monkeypatch, EntryPoint("fixed", value, catalogue.GROUP))
    assert isinstance(catalogue.make_harness("fixed", tmp_path), Fixed)


def test_a_harness_that_cannot_be_loaded_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(monkeypatch, EntryPoint("broken", "no_such_module:Harness", catalogue.GROUP))
    with pytest.raises(UserError, match="broken cannot be loaded"):
        catalogue.make_harness("broken", tmp_path)
