"""Models behind the OpenAI Chat Completions protocol, by the official SDK: any compatible server.

The answer is held to one JSON Schema by the server itself (`response_format`), so it has one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import openai
from openai.types.shared_params import ResponseFormatJSONSchema
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelError, ModelRequest, TokenCount, Usage
from generators.models.bodies import hooks, whole
from generators.models.deadline import SECONDS, within

KEY, ADDRESS = "OPENAI_API_KEY", "OPENAI_BASE_URL"
SHAPE_NAME = "answer"
CONTENT = TypeAdapter(dict[str, JsonValue])


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None


class _Usage(BaseModel):
    prompt_tokens: TokenCount
    completion_tokens: TokenCount


class _Completion(BaseModel):
    """What of a server's completion is used; the SDK takes whatever comes."""

    model: str
    choices: list[_Choice]
    usage: _Usage | None = None


class OpenAIClient:
    """One call at a time. The SDK repeats what a server asks it to repeat, within the limit."""

    def __init__(self, make: Callable[[], openai.AsyncOpenAI], seconds: float = SECONDS) -> None:
        self._make = make
        self._seconds = seconds

    def ask(self, request: ModelRequest) -> ModelAnswer:
        return _answer(request, within(self._seconds, request.model, self._asked(request)))

    async def _asked(self, request: ModelRequest) -> bytes:
        shape: ResponseFormatJSONSchema = {
            "type": "json_schema",
            "json_schema": {"name": SHAPE_NAME, "strict": True, "schema": dict(request.shape)},
        }
        try:
            async with self._make() as sdk:
                response = await sdk.chat.completions.with_raw_response.create(
                    model=request.model,
                    messages=[
                        {"role": "system", "content": request.system},
                        {"role": "user", "content": request.prompt},
                    ],
                    max_completion_tokens=request.most_tokens,
                    response_format=shape,
                    timeout=self._seconds,
                )
                return whole(request.model, response.content)
        except openai.APIStatusError as error:
            status = f"status {error.status_code}"
            raise ModelError(
                f"{request.model}: {status}: {error.message}", unserved=status
            ) from error
        except openai.APIError as error:
            raise ModelError(f"{request.model}: {error.message}", unserved=error.message) from error


def _answer(request: ModelRequest, body: bytes) -> ModelAnswer:
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError as error:
        raise ModelError(f"{request.model}: what came is no completion of the protocol") from error
    if len(completion.choices) != 1:
        raise ModelError(f"{request.model}: gave {len(completion.choices)} answers")
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        raise ModelError(
            f"{request.model}: the answer is longer than {request.most_tokens} tokens; raise"
            " most_tokens"
        )
    if choice.finish_reason != "stop" or choice.message.refusal or choice.message.content is None:
        raise ModelError(f"{request.model}: gave no answer (stop reason {choice.finish_reason})")
    try:
        content = CONTENT.validate_json(choice.message.content)
    except ValidationError as error:
        raise ModelError(f"{request.model}: the answer is no JSON object") from error
    usage = completion.usage
    return ModelAnswer(
        model=completion.model,
        content=content,
        usage=usage
        and Usage(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens),
    )


def connect(environment: Mapping[str, str], seconds: float = SECONDS) -> OpenAIClient:
    """A client with the key and the address that the environment names."""
    key = environment.get(KEY)
    if not key:
        raise UserError("a model must be asked, and there is no key", remedy=f"set {KEY}")
    address = environment.get(ADDRESS)
    return OpenAIClient(lambda: _sdk(key, address), seconds)


def _sdk(key: str, address: str | None) -> openai.AsyncOpenAI:
    http = openai.DefaultAsyncHttpxClient(event_hooks=hooks())
    return openai.AsyncOpenAI(api_key=key, base_url=address, http_client=http)
