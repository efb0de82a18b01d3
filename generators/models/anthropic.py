"""Models behind the Anthropic Messages protocol, by the official SDK (the extra `llm`).

The answer is the input of a tool that the model is made to call, so that it has one shape.
"""

from __future__ import annotations

from collections.abc import Mapping

import anthropic
from anthropic.types import Message, ToolParam, ToolUseBlock
from pydantic import JsonValue, TypeAdapter

from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelError, ModelRequest, Usage

KEY, ADDRESS = "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"
TOOL = "answer"
CONTENT = TypeAdapter(dict[str, JsonValue])


class AnthropicClient:
    """One call at a time. The SDK repeats what a server asks it to repeat."""

    def __init__(self, sdk: anthropic.Anthropic) -> None:
        self._sdk = sdk

    def ask(self, request: ModelRequest) -> ModelAnswer:
        tool: ToolParam = {
            "name": TOOL,
            "description": "Gives the answer.",
            "input_schema": dict(request.shape),
        }
        try:
            message = self._sdk.messages.create(
                model=request.model,
                system=request.system,
                messages=[{"role": "user", "content": request.prompt}],
                max_tokens=request.most_tokens,
                tools=[tool],
                tool_choice={"type": "tool", "name": TOOL},
            )
        except anthropic.APIStatusError as error:
            raise ModelError(f"{request.model}: status {error.status_code}: {error.message}") from (
                error
            )
        except anthropic.APIError as error:
            raise ModelError(f"{request.model}: {error.message}") from error
        return _answer(request, message)


def _answer(request: ModelRequest, message: Message) -> ModelAnswer:
    if message.stop_reason == "max_tokens":
        raise ModelError(
            f"{request.model}: the answer is longer than {request.most_tokens} tokens; raise"
            " most_tokens"
        )
    calls = [block for block in message.content if isinstance(block, ToolUseBlock)]
    if len(calls) != 1 or calls[0].name != TOOL:
        raise ModelError(f"{request.model}: gave no answer (stop reason {message.stop_reason})")
    usage = message.usage
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return ModelAnswer(
        model=message.model,
        content=CONTENT.validate_python(calls[0].input),
        usage=Usage(input_tokens=usage.input_tokens + cached, output_tokens=usage.output_tokens),
    )


def connect(environment: Mapping[str, str]) -> AnthropicClient:
    """A client with the key and the address that the environment names.

    No profile on disk is looked for, so that it is plain who pays.
    """
    key = environment.get(KEY)
    if not key:
        raise UserError("a model must be asked, and there is no key", remedy=f"set {KEY}")
    return AnthropicClient(anthropic.Anthropic(api_key=key, base_url=environment.get(ADDRESS)))
