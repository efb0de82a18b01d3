"""The operator's key stands in nothing that a sweep leaves, whatever server and agent say of it."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
import zstandard
from aiohttp import web

from authoring.errors import UserError
from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.harness import Ended, Job, Profile
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.wire import Protocol
from evaluation.judging.catalogue import judge_named
from evaluation.report.collect import collect
from evaluation.report.export_json import to_report_json
from evaluation.report.table import build_report
from evaluation.report.terminal import print_report
from evaluation.run import Limits
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sweep.plan import SweepPlan, UpstreamSpec
from evaluation.transcripts.trajectory import Trajectory
from generators.build import Build
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build
from tests.e2e.truth_corpus import build_truth_corpus
from tests.evaluation.gateway.conftest import KEY, serving

VARIABLE = "CANARY_KEY"
PARTS = (KEY, "0123456789abcdef")
"""The key, and the part of it that every way of writing it leaves as it is."""
MODEL = "m-1"
TOOL = "read_file"

Json = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """One call for an answer, and a whole answer, in one protocol."""

    path: str
    header: str
    request: Json
    answer: str
    """With `SAID` in the place of the text."""


SHAPES: Mapping[Protocol, Shape] = {
    "anthropic": Shape(
        "/v1/messages",
        "x-api-key",
        {"messages": [{"role": "user", "content": "go"}], "tools": [{"name": TOOL}]},
        '{"type":"message","model":"m-1","content":[{"type":"text","text":"SAID"}],'
        '"stop_reason":"end_turn"}',
    ),
    "openai-chat": Shape(
        "/v1/chat/completions",
        "authorization",
        {
            "messages": [{"role": "user", "content": "go"}],
            "tools": [{"type": "function", "function": {"name": TOOL}}],
        },
        '{"model":"m-1","choices":[{"finish_reason":"stop","message":{"content":"SAID"}}]}',
    ),
    "openai-responses": Shape(
        "/v1/responses",
        "authorization",
        {
            "input": [{"type": "message", "role": "user", "content": "go"}],
            "tools": [{"type": "function", "name": TOOL}],
        },
        '{"object":"response","status":"completed","model":"m-1","output":[{"type":"message",'
        '"role":"assistant","content":[{"type":"output_text","text":"SAID"}]}]}',
    ),
    "gemini": Shape(
        f"/v1beta/models/{MODEL}:generateContent",
        "x-goog-api-key",
        {
            "contents": [{"role": "user", "parts": [{"text": "go"}]}],
            "tools": [{"functionDeclarations": [{"name": TOOL}]}],
        },
        '{"modelVersion":"m-1","candidates":[{"finishReason":"STOP","content":{"role":"model",'
        '"parts":[{"text":"SAID"}]}}]}',
    ),
}


def test_every_protocol_has_its_shape_here() -> None:
    assert SHAPES.keys() == PROTOCOLS.keys()


class Parrot:
    """An agent that writes down all that it is told, and may fail with it."""

    def __init__(self, protocol: Protocol, *, fails: bool) -> None:
        self._shape = SHAPES[protocol]
        self._protocol = protocol
        self._fails = fails

    @property
    def profile(self) -> Profile:
        return replace(
            Fixed().profile, protocol=self._protocol, readers=frozenset((TOOL,)), offered=()
        )

    def installed_version(self) -> str:
        return "1"

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        shape = self._shape
        scheme = "Bearer " if shape.header == "authorization" else ""
        headers = {shape.header: scheme + job.token, "x-fails": str(self._fails)}
        url = f"{job.url}{shape.path}"
        async with aiohttp.ClientSession() as client:
            got = await client.post(url, json=shape.request, headers=headers)
            said = f"{got.status} {got.reason} {dict(got.headers)} {await got.text()}"
        (job.native / "session.txt").write_text(said)
        logging.getLogger("agent").error(said)
        return Ended(ok=not self._fails, seconds=1.0, fault=said if self._fails else "")

    def read_session(self, native: Path) -> Trajectory:
        raise UserError("holds no session")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_truth_corpus(tmp_path_factory.mktemp("corpus"))


def telling(protocol: Protocol, keys: list[str]) -> Any:
    """A server that says the key it was sent wherever it can."""
    shape = SHAPES[protocol]

    async def reply(request: web.Request) -> web.StreamResponse:
        key = request.headers[shape.header].removeprefix("Bearer ")
        keys.append(key)
        is_wrong = request.headers["x-fails"] == "True"
        said = f"I reviewed all the files. {key} {orjson.dumps(key).decode()[1:-1]}"
        error = {"error": {"message": f"invalid key {key}", "type": "x", "code": 401}}
        return web.Response(
            status=401 if is_wrong else 200,
            reason=f"said {key}",
            body=orjson.dumps(error) if is_wrong else shape.answer.replace("SAID", said).encode(),
            headers={"Content-Type": "application/json", "X-Debug": key, "Set-Cookie": f"k={key}"},
        )

    return reply


def written(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file, and what is packed in it."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield str(path.relative_to(folder)), data
            if path.suffix == ".zst":
                yield f"{path.name}, unpacked", zstandard.decompress(data, max_output_size=1 << 24)


@pytest.mark.parametrize("fails", [False, True], ids=["answers", "refuses"])
@pytest.mark.parametrize("protocol", SHAPES)
def test_nothing_that_a_sweep_leaves_holds_the_key(
    build: Build,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    protocol: Protocol,
    fails: bool,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(VARIABLE, KEY)
    harness = Parrot(protocol, fails=fails)
    keys: list[str] = []

    def sweep(url: str) -> Sweep:
        spec = UpstreamSpec(kind="compatible", url=url, key_variable=VARIABLE)
        return Sweep(
            plan=SweepPlan(
                builds=(planned_build(build),),
                agents=(planned_agent("fixed", harness, (MODEL,), spec),),
                limits=Limits(seconds=60, turns=100),
            ),
            builds={build.manifest.build: Sealed(build, None)},
            harnesses={"fixed": harness},
            sandbox=None,
            judge=judge_named("rules"),
            concurrency=1,
            parent=tmp_path,
            retries=0,
        )

    async def run() -> list[str]:
        async with serving(telling(protocol, keys), []) as url:
            result = await asyncio.to_thread(execute, sweep(url), lambda _: None)
            return list(result.outcomes)

    assert asyncio.run(run()) == ["infrastructure" if fails else "completed"]
    assert set(keys) == {KEY}, "the server must have been sent the key"
    report = build_report(collect(tmp_path))
    told = io.StringIO()
    print_report(report, told)
    left = dict(written(tmp_path))
    assert any(name.endswith("session.txt") for name in left)
    out = capfd.readouterr()
    for name, text in {
        "report": told.getvalue(),
        "report.json": to_report_json(report),
        "log": caplog.text,
        "stdout": out.out,
        "stderr": out.err,
    }.items():
        left[name] = text.encode()
    holders = [name for name, data in left.items() for part in PARTS if part.encode() in data]
    assert holders == []
