"""The tables of reading costs and context windows: ours as shipped, and a user's put in."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.agents.catalogue import HARNESSES, make_harness
from validation.reading_costs import CLIP, load_tables

OWN = """\
schema: ocb.models/1
models:
  - {name: house, vendor: us, window: 32000, vendor_factor: 1.1, source: us, date: 2026-05-01}
  - {name: claude-haiku-4-5, vendor: anthropic, window: 64000, source: us, date: 2026-05-01}
"""


def test_every_harness_was_measured_at_its_version() -> None:
    measured = {name: one.version for name, one in load_tables().harnesses.items()}
    profiles = [make_harness(name, Path(".tools")).profile for name in HARNESSES]
    assert measured == {profile.name: profile.version for profile in profiles}


def test_every_window_has_a_source_and_a_date() -> None:
    models = load_tables().models
    assert all(model.source and model.date for model in models.values())
    assert {model.vendor for model in models.values()} >= {"anthropic", "openai", "google"}


def test_a_users_file_adds_models_and_changes_ours(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(OWN)
    ours, with_own = load_tables().models, load_tables(path).models
    assert set(with_own) - set(ours) == {"house"}
    assert with_own["house"].vendor_factor == 1.1
    assert (ours["claude-haiku-4-5"].window, with_own["claude-haiku-4-5"].window) == (200000, 64000)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            OWN.replace("window: 32000", "windows: 32000"),
            "models.yaml:3:31: unknown key 'windows'; did you mean 'window'?",
            id="unknown-key",
        ),
        pytest.param(OWN.replace("32000", "many"), "models.yaml:3", id="no-number"),
        pytest.param(OWN.replace("32000", "0"), "models.yaml:3", id="no-window"),
        pytest.param(OWN.replace("models/1", "models/2"), "models.yaml:1", id="schema"),
        pytest.param("- a\n- b\n", "models.yaml:1", id="a-list"),
    ],
)
def test_what_is_wrong_with_a_users_file_is_told_at_its_place(
    text: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        load_tables(path)
    assert told in str(error.value)


def test_a_model_is_known_by_its_dated_name_too() -> None:
    tables = load_tables()
    known = tables.model("claude-haiku-4-5-20251001")
    assert known is not None
    assert known.name == "claude-haiku-4-5"
    assert tables.model("claude-haiku-9") is None


def test_a_harness_never_measured_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match="never measured") as error:
        load_tables().harness("claude-cod")
    assert "claude-code" in str(error.value)


def test_the_clip_is_the_shortest_of_all_tools() -> None:
    tables = load_tables()
    assert tables.clip == CLIP
    one = tables.harnesses["fixed"].model_copy(update={"clip": 900})
    assert type(tables)({**tables.harnesses, "fixed": one}, tables.models).clip == 900
