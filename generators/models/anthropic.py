"""Models behind the Anthropic Messages protocol, by the official SDK.

The answer is the input of a tool that the model is made to call, so that it has one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import anthropic
from anthropic.types import ToolParam
from pydantic import BaseModel, JsonValue, ValidationError

from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelError, ModelRequest, TokenCount, Usage
from generators.models.bodies import hooks, whole
from generators.models.deadline import SECONDS, within

KEY, ADDRESS = "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"
TOOL = "answer"


class _Block(BaseModel):
    type: str


class _Call(BaseModel):
    type: Literal["tool_use"]
    name: str
    input: JsonValue


class _Usage(BaseModel):
    input_tokens: TokenCount
    output_tokens: TokenCount
    cache_creation_input_tokens: TokenCount | None = None
    cache_read_input_tokens: TokenCount | None = None


class _Message(BaseModel):
    """What of a server's message is used; the SDK takes whatever comes."""

    model: str
    content: list[_Call | _Block]
    stop_reason: str | None
    usage: _Usage


class AnthropicClient:
    """One call at a time. The SDK repeats what a server asks it to repeat, within the limit."""

    def __init__(
        self, make: Callable[[], anthropic.AsyncAnthropic], seconds: float = SECONDS
    ) -> None:
        self._make = make
        self._seconds = seconds

    def ask(self, request: ModelRequest) -> ModelAnswer:
        return _answer(request, within(self._seconds, request.model, self._asked(request)))

    async def _asked(self, request: ModelRequest) -> bytes:
        tool: ToolParam = {
            "name": TOOL,
            "description": "Gives the answer.",
            "input_schema": dict(request.shape),
        }
        try:
            async with self._make() as sdk:
                response = await sdk.messages.with_raw_response.create(
                    model=request.model,
                    system=request.system,
                    messages=[{"role": "user", "content": request.prompt}],
                    max_tokens=request.most_tokens,
                    tools=[tool],
                    tool_choice={"type": "tool", "name": TOOL},
                    timeout=self._seconds,
                )
                return whole(request.model, await response.read())
        except anthropic.APIStatusError as error:
            status = f"status {error.status_code}"
            raise ModelError(
                f"{request.model}: {status}: {error.message}", unserved=status
            ) from error
        except anthropic.APIError as error:
            raise ModelError(f"{request.model}: {error.message}", unserved=error.message) from error


def _answer(request: ModelRequest, body: bytes) -> ModelAnswer:
    try:
        message = _Message.model_validate_json(body)
    except ValidationError as error:
        raise ModelError(f"{request.model}: what came is no message of the protocol") from error
    if message.stop_reason == "max_tokens":
        raise ModelError(
            f"{request.model}: the answer is longer than {request.most_tokens} tokens; raise"
            " most_tokens"
        )
    calls = [block for block in message.content if isinstance(block, _Call)]
    if len(calls) != 1 or calls[0].name != TOOL or not isinstance(calls[0].input, dict):
        raise ModelError(f"{request.model}: gave no answer (stop reason {message.stop_reason})")
    usage = message.usage
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return ModelAnswer(
        model=message.model,
        content=calls[0].input,
        usage=Usage(input_tokens=usage.input_tokens + cached, output_tokens=usage.output_tokens),
    )


def connect(environment: Mapping[str, str], seconds: float = SECONDS) -> AnthropicClient:
    """A client with the key and the address that the environment names.

    No profile on disk is looked for, so that it is plain who pays.
    """
    key = environment.get(KEY)
    if not key:
        raise UserError("a model must be asked, and there is no key", remedy=f"set {KEY}")
    address = environment.get(ADDRESS)
    return AnthropicClient(lambda: _sdk(key, address), seconds)


def _sdk(key: str, address: str | None) -> anthropic.AsyncAnthropic:
    http = anthropic.DefaultAsyncHttpxClient(event_hooks=hooks())
    return anthropic.AsyncAnthropic(api_key=key, base_url=address, http_client=http)
