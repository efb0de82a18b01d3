"""`ocb doctor`: says what is there, and why not, on any machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ocb.cli.main import run
from ocb.machine import Machine, Part, examine

NOWHERE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}


class Engine(BaseHTTPRequestHandler):
    """As much of a Docker Engine as answers who it is."""

    def do_GET(self) -> None:
        body = b'{"ApiVersion": "1.54"}' if self.path == "/version" else b"{}"
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """No lines among those of the tests."""


@pytest.fixture
def engine() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Engine) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def at(engine: ThreadingHTTPServer) -> dict[str, str]:
    return {"DOCKER_HOST": f"tcp://127.0.0.1:{engine.server_port}"}


def part(machine: Machine, name: str) -> Part:
    (found,) = (
        one for one in (*machine.agents, *machine.sandboxes, *machine.others) if one.name == name
    )
    return found


def test_an_agent_that_is_not_installed_comes_with_what_to_run(tmp_path: Path) -> None:
    missing = part(examine(tmp_path, NOWHERE), "claude-code")
    assert not missing.works
    assert "run: ocb doctor --install claude-code" in missing.detail


def test_what_comes_with_ocb_works_everywhere(tmp_path: Path) -> None:
    machine = examine(tmp_path, NOWHERE)
    assert part(machine, "fixed").works
    tokenizer = part(machine, "tokenizer")
    assert tokenizer.works
    assert tokenizer.detail.startswith("cl100k_base, offline")


def test_no_docker_engine_is_a_reason_and_no_error(tmp_path: Path) -> None:
    docker = part(examine(tmp_path, NOWHERE), "Docker Engine")
    assert not docker.works
    assert docker.detail == "the Docker Engine is not running: there is no /nowhere/docker.sock"


def test_a_docker_engine_that_is_gone_is_a_reason_and_no_error(
    tmp_path: Path, engine: ThreadingHTTPServer
) -> None:
    engine.shutdown()
    engine.server_close()
    docker = part(examine(tmp_path, at(engine)), "Docker Engine")
    assert not docker.works
    assert "gives no answer" in docker.detail


@pytest.mark.parametrize("address", ["tcp://", "nonsense", "ssh://nowhere.invalid"])
def test_an_odd_docker_address_is_a_reason_and_no_error(tmp_path: Path, address: str) -> None:
    assert not part(examine(tmp_path, {"DOCKER_HOST": address}), "Docker Engine").works


def test_a_docker_engine_is_asked_for_its_version(
    tmp_path: Path, engine: ThreadingHTTPServer
) -> None:
    docker = part(examine(tmp_path, at(engine)), "Docker Engine")
    assert docker == Part(name="Docker Engine", works=True, detail="API 1.54")


def test_unconfined_is_no_sandbox_that_a_machine_has(tmp_path: Path) -> None:
    assert [one.name for one in examine(tmp_path, NOWHERE).sandboxes] == [
        "docker",
        "bubblewrap",
    ]


@pytest.mark.parametrize("flag", [(), ("--json",)], ids=["text", "json"])
def test_a_key_is_named_and_its_value_never_shown(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flag: tuple[str, ...],
) -> None:
    monkeypatch.setenv("DOCKER_HOST", NOWHERE["DOCKER_HOST"])
    monkeypatch.setenv("OPENAI_API_KEY", "sk-5a1c0ffee")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    assert run(["doctor", "--tools", str(tmp_path), *flag]) == 0
    out = capsys.readouterr().out
    assert "OPENAI_API_KEY" in out
    assert "ANTHROPIC_API_KEY" not in out
    assert "5a1c0ffee" not in out


def test_the_json_is_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCKER_HOST", NOWHERE["DOCKER_HOST"])
    assert run(["doctor", "--tools", str(tmp_path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["schema"] == "ocb.doctor/1"
    assert printed["free_bytes"] > 0


def test_an_installation_that_fails_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--install", "claude-cod", "--tools", str(tmp_path)]) == 2
    assert "did you mean 'claude-code'?" in capsys.readouterr().err
