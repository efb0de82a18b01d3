"""The operator's key serves for the calls that an agent needs, and for no other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import orjson
import pytest

from evaluation.gateway.calls import is_needed
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.wire import Protocol
from tests.evaluation.gateway.conftest import Settings, answer, rigged


@pytest.mark.parametrize(
    ("protocol", "method", "path", "needed"),
    [
        ("anthropic", "POST", "/v1/messages", True),
        ("anthropic", "POST", "/v1/messages?beta=true", True),
        ("anthropic", "POST", "/v1/messages/count_tokens?beta=true", True),
        ("anthropic", "GET", "/v1/models?limit=20", True),
        ("anthropic", "HEAD", "/", True),
        ("anthropic", "GET", "/v1/messages", False),
        ("anthropic", "DELETE", "/v1/models", False),
        ("anthropic", "GET", "/v1/organizations/api_keys", False),
        ("anthropic", "DELETE", "/v1/files/abc", False),
        ("anthropic", "POST", "/v1/files", False),
        ("anthropic", "POST", "/v1/messages/batches", False),
        ("anthropic", "POST", "/v1/complete", False),
        ("anthropic", "POST", "/v1/files?/v1/messages", False),
        ("anthropic", "POST", "/v1/files#/v1/messages", False),
        ("anthropic", "POST", "/x/v1/messages", False),
        ("anthropic", "POST", "//v1/messages", False),
        ("anthropic", "POST", "/v1/messages/../files", False),
        ("anthropic", "POST", "/v1/messages\n", False),
        ("anthropic", "POST", "/V1/MESSAGES", False),
        ("openai-chat", "POST", "/v1/chat/completions", True),
        ("openai-chat", "POST", "/chat/completions", True),
        ("openai-chat", "POST", "/api/v1/chat/completions?x=1", True),
        ("openai-chat", "GET", "/v1/models", True),
        ("openai-chat", "GET", "/v1/chat/completions", False),
        ("openai-chat", "DELETE", "/v1/models", False),
        ("openai-chat", "GET", "/v1/organization/admin_api_keys", False),
        ("openai-chat", "POST", "/v1/files", False),
        ("openai-chat", "POST", "/v1/responses", False),
        ("openai-chat", "POST", "/v1/files/../chat/completions", False),
        ("openai-chat", "POST", "/v1/files/%2e%2e/chat/completions", False),
        ("openai-chat", "POST", "/v1/files/.hidden/chat/completions", False),
        ("openai-chat", "POST", "/v1/files;/chat/completions", False),
        ("openai-chat", "POST", "/v1/files?/chat/completions", False),
        ("openai-chat", "POST", "/v1/files#/chat/completions", False),
        ("openai-chat", "POST", "/v1/files\\chat/completions", False),
        ("openai-chat", "POST", "//host/chat/completions", False),
        ("openai-chat", "POST", "xchat/completions", False),
        ("openai-chat", "POST", "/v1/messages", False),
    ],
)
def test_a_call_is_needed_by_method_and_path(
    protocol: Protocol, method: str, path: str, needed: bool
) -> None:
    assert is_needed(PROTOCOLS[protocol].calls, method, path) is needed


@pytest.mark.parametrize(
    ("protocol", "method", "path", "error"),
    [
        (
            "anthropic",
            "GET",
            "/v1/organizations/api_keys",
            {"type": "error", "error": {"type": "not_found_error", "message": "Not found."}},
        ),
        (
            "openai-chat",
            "DELETE",
            "/v1/files/abc",
            {
                "error": {
                    "message": "Not found.",
                    "type": "invalid_request_error",
                    "param": None,
                    "code": None,
                }
            },
        ),
    ],
)
def test_any_other_call_is_answered_and_recorded_and_not_passed_on(
    protocol: Protocol, method: str, path: str, error: dict[str, object], tmp_path: Path
) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer, Settings(protocol=protocol)) as rig:
            got = await rig.send(method, path)
            assert (got.status, orjson.loads(got.body)) == (404, error)
            assert rig.seen == []
            [row] = (await rig.close()).rows
            assert (row.method, row.path, row.status) == (method, path, 404)
            assert (row.kind, row.sent, row.response) == ("background", 0.0, got.body.decode())

    asyncio.run(run())
