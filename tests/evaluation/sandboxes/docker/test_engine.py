"""Whether containers can be used here, and what is said of it."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.sandboxes.docker.container import (
    containers,
    remove_leftover_containers,
    started,
)
from evaluation.sandboxes.docker.engine import Engine, connected, describe
from evaluation.sandboxes.docker.outfit import LABEL, bounded
from evaluation.sandboxes.docker.promises import promises_of
from evaluation.sandboxes.docker.sandbox import Docker
from evaluation.sandboxes.groups import Bounds
from evaluation.sandboxes.stage import make_stage
from tests.evaluation.sandboxes.bench import Bench

ABLE = Engine(
    api="1.41",
    version="20.10.24",
    bounds_memory=True,
    bounds_swap=True,
    bounds_processes=True,
    bounds_processors=True,
    filters_calls=True,
    maps_users=False,
    processors=8,
)


def test_an_engine_that_is_there_can_be_used(
    engine: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", engine["DOCKER_HOST"])
    assert Docker.probe() is None
    assert all(promise.detail for promise in Docker.promises())


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nowhere", "is not running: there is no /"), ("left", "cannot be asked: /")],
)
def test_an_engine_that_is_not_there_is_a_reason(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        monkeypatch.chdir(tmp_path)
        left.bind("left")  # by a relative name: a socket's path may have 107 bytes
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / name}")
    assert f"the Docker Engine {reason}" in (Docker.probe() or "")
    assert not any(promise.holds for promise in Docker.promises())
    assert remove_leftover_containers({"DOCKER_HOST": f"unix://{tmp_path / name}"}) == 0


def test_this_machine_holds_every_promise(engine: Mapping[str, str]) -> None:
    """The tests of bounds say nothing on a machine that has none."""
    with connected(engine) as client:
        promises = promises_of(describe(client))
    assert [promise.name for promise in promises if not promise.holds] == []


@pytest.mark.parametrize(
    ("engine", "broken"),
    [
        pytest.param(ABLE, set(), id="all"),
        pytest.param(replace(ABLE, bounds_memory=False), {"memory"}, id="no memory"),
        pytest.param(replace(ABLE, bounds_processes=False), {"processes"}, id="no processes"),
        pytest.param(replace(ABLE, bounds_processors=False), {"processors"}, id="no processors"),
        pytest.param(replace(ABLE, filters_calls=False), {"user"}, id="no filter"),
    ],
)
def test_each_promise_that_does_not_hold_is_named(engine: Engine, broken: set[str]) -> None:
    promises = promises_of(engine)
    assert len({promise.name for promise in promises}) == len(promises) == 11
    assert {promise.name for promise in promises if not promise.holds} == broken


def test_an_engine_is_asked_for_no_bound_that_it_refuses() -> None:
    bounds = Bounds(memory=1 << 20, processes=10, processors=4.0)
    assert bounded(bounds, ABLE) == {
        "Memory": 1 << 20,
        "MemorySwap": 1 << 20,
        "PidsLimit": 10,
        "NanoCpus": 4_000_000_000,
    }
    unable = replace(
        ABLE, bounds_memory=False, bounds_processes=False, bounds_processors=False, processors=1
    )
    assert bounded(bounds, unable) == {}
    assert bounded(bounds, replace(ABLE, processors=1))["NanoCpus"] == 1_000_000_000


def test_a_container_of_a_process_that_lives_is_left_alone(
    bench: Bench, docker: Docker, engine: Mapping[str, str]
) -> None:
    with socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(bench.socket))
        with make_stage(None) as stage:
            outfit = docker.outfit(stage, bench.command("true"))
            stage.home.mkdir()
            with started(engine, outfit):
                remove_leftover_containers(engine)
                with connected(engine) as client:
                    labels = {row["Labels"][LABEL] for row in containers(client)}
    assert stage.root.name in labels
