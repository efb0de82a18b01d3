"""The `llm` generator: asks for one document a call, and holds each against what it must hold."""

from __future__ import annotations

import importlib
import importlib.resources
import os
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import JsonValue, ValidationError

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.document import Document
from generators.llm.parameters import NUMBER, DocumentOrder, LlmParameters
from generators.models.asking import ModelClient, ModelError, ModelRequest
from generators.models.cache import CachedClient
from generators.models.prices import CappedClient
from generators.planters.patterns import within_time

SUMMARY = "documents that a model writes once; builds use what it wrote (extra: llm)"
EXAMPLE = """\
generator: llm
parameters:
  model: claude-sonnet-4-5
  cache: answers
  setting: Harbour office of a small port; harbour master Ines Duarte; all in May 2024.
  documents:
    - {kind: berth, path: "berths/{number}.md", count: 12, brief: A berth agreement of two pages.}
    - {kind: rules, path: rules.md, brief: The port rules that every berth agreement keeps to.}
sizes:
  small: {}
"""


SHAPE: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "The whole content of the file."}},
    "required": ["text"],
    "additionalProperties": False,
}
"""Of a `WrittenDocument`. Written out, so that what was asked once is the same request for ever."""


class WrittenDocument(Value):
    """The answer of a model."""

    text: str


def connect_to_anthropic() -> ModelClient:
    """A client by the settings of the environment. Raises UserError where the extra is missing."""
    try:
        module = importlib.import_module("generators.models.anthropic")
    except ModuleNotFoundError as error:
        if error.name != "anthropic":
            raise
        raise UserError(
            "a model must be asked, and the package anthropic is not installed",
            remedy="pip install 'overclaimbench[llm]'",
        ) from error
    client: ModelClient = module.connect(os.environ)
    return client


class LlmGenerator:
    """Documents as a model wrote them.

    What it answered is kept in the cache, so that the same spec gives the same bytes from then on.
    Another seed asks for other documents.
    """

    def __init__(
        self,
        parameters: LlmParameters,
        source: random.Random,
        *,
        base: Path = Path(),
        connect: Callable[[], ModelClient] = connect_to_anthropic,
    ) -> None:
        self._parameters = parameters
        self._random = source
        self._connect = connect
        self._client = CachedClient(base / parameters.cache, self._capped)
        folder = importlib.resources.files("generators.llm")
        self._system = (folder / "system.txt").read_text(encoding="utf-8")
        # Without autoescape: the result is a prompt, plain text.
        environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
        self._prompt = environment.from_string((folder / "prompt.j2").read_text(encoding="utf-8"))

    def documents(self) -> Iterator[Document]:
        """In the order of the spec. Raises UserError and ModelError."""
        for order in self._parameters.documents:
            for number in range(1, order.count + 1):
                path = PurePosixPath(order.path.replace(NUMBER, f"{number:02}"))
                variation = self._random.getrandbits(32)
                text = self._written(order, path, number, variation)
                yield Document(path, order.kind, text)

    def _capped(self) -> ModelClient:
        client, price = self._connect(), self._parameters.price
        most = self._parameters.most_usd
        return client if price is None or most is None else CappedClient(client, price, most)

    def _written(
        self, order: DocumentOrder, path: PurePosixPath, number: int, variation: int
    ) -> str:
        complaint = ""
        for _ in range(self._parameters.attempts):
            prompt = self._prompt.render(
                setting=self._parameters.setting.strip(),
                path=path,
                number=number,
                count=order.count,
                kind=order.kind,
                brief=order.brief.strip(),
                must_hold=order.must_hold,
                complaint=complaint,
                variation=variation,
            )
            text = self._asked(prompt)
            complaint = _complaint(text, order)
            if not complaint:
                return text
        raise UserError(
            f"{path}: {complaint}, after {self._parameters.attempts} attempts",
            remedy="mend its brief or must_hold, or raise attempts",
        )

    def _asked(self, prompt: str) -> str:
        request = ModelRequest(
            model=self._parameters.model,
            system=self._system,
            prompt=prompt,
            most_tokens=self._parameters.most_tokens,
            shape=SHAPE,
        )
        answer = self._client.ask(request)
        try:
            written = WrittenDocument.model_validate(answer.content, strict=True)
        except ValidationError as error:
            raise ModelError(f"{answer.model}: the answer is no document: {error}") from error
        return written.text.replace("\r\n", "\n").rstrip() + "\n"


def _complaint(text: str, order: DocumentOrder) -> str:
    """Why a document cannot be used; empty where it can."""
    if not text.strip():
        return "it is empty"
    for pattern in order.must_hold:
        with within_time(pattern):
            count = len(re.findall(pattern, text, re.MULTILINE))
        if count != 1:
            return f"{pattern!r} matches {count} times"
    return ""
