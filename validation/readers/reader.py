"""A reader: a model that is given some files and says what is wrong in them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelClient, ModelRequest
from generators.models.cache import CachedClient
from generators.models.deadline import SECONDS
from generators.models.patience import PatientClient
from generators.models.prices import MOST_DOLLARS, CappedClient, Price
from generators.models.vendors import ModelName, connect, parse_model_name
from validation.leaks import FOLDER
from validation.readers.answer import SHAPE, ReaderFinding, ShapedClient, read_answer
from validation.readers.metering import Account, Meter, MeteredClient
from validation.readers.prompt import Prompt

MOST_TOKENS = 8000
"""Of one answer."""


class Reading(NamedTuple):
    """What a reader says of one sample."""

    model: str
    """Who answered, in the server's words."""
    findings: tuple[ReaderFinding, ...]
    """With the paths of the corpus, where the reader named one of them."""


class Reader(Protocol):
    """Reads samples, several at once. Raises ModelError where no answer can be had."""

    @property
    def name(self) -> str:
        """Who is asked: `anthropic:claude-sonnet-4-5`."""
        ...

    def read(self, prompt: Prompt) -> Reading: ...

    def account(self, samples: int) -> Account:
        """What so many answered samples took."""
        ...


class Budget(NamedTuple):
    """What the calls of a reader may take."""

    price: Price | None = None
    """None: unknown, which is not 0."""
    most_usd: float | None = None
    seconds: float = SECONDS
    """Of one call."""


class ModelReader:
    """A reader behind a model client."""

    def __init__(
        self,
        name: ModelName,
        client: ModelClient,
        *,
        budget: Budget | None = None,
        cache: Path | None = None,
        most_tokens: int = MOST_TOKENS,
    ) -> None:
        self._model = name
        self._budget = budget or Budget()
        self._meter = Meter()
        self._most_tokens = most_tokens
        self._client = self._within(client)
        if cache is not None:
            inner = self._client
            self._client = CachedClient(cache, lambda: inner)

    def _within(self, client: ModelClient) -> ModelClient:
        """The client, metered, within the cap, never asked in vain for long, held to the shape."""
        price, most = self._budget.price, self._budget.most_usd
        client = MeteredClient(client, self._meter)
        if price is not None and most is not None:
            client = CappedClient(client, price, most)
        return ShapedClient(PatientClient(client), self._meter)

    @property
    def name(self) -> str:
        return str(self._model)

    def read(self, prompt: Prompt) -> Reading:
        request = ModelRequest(
            model=self._model.model,
            system=prompt.system,
            prompt=prompt.text,
            most_tokens=self._most_tokens,
            shape=SHAPE,
        )
        answer = self._client.ask(request)
        findings = (
            finding.model_copy(update={"file": _path(finding.file, prompt.paths)})
            for finding in read_answer(answer).findings
        )
        return Reading(answer.model, tuple(findings))

    def account(self, samples: int) -> Account:
        return self._meter.account(samples, self._budget.price, self._budget.most_usd)


class _Connecting:
    """Connects when the first question is asked: what a cache answers needs neither key nor SDK."""

    def __init__(self, name: ModelName, environment: Mapping[str, str], seconds: float) -> None:
        self._name = name
        self._environment = environment
        self._seconds = seconds

    def ask(self, request: ModelRequest) -> ModelAnswer:
        return connect(self._name, self._environment, self._seconds).ask(request)


def _path(said: str, paths: Mapping[str, str]) -> str:
    """The file that a reader names; its words as they are where it names none it was given."""
    plain = posixpath.normpath(said.strip())
    for name in (said, plain, plain.removeprefix(f"{FOLDER}/")):
        if name in paths:
            return paths[name]
    return said


def open_reader(
    name: str,
    environment: Mapping[str, str],
    *,
    budget: Budget | None = None,
    cache: Path | None = None,
) -> ModelReader:
    """The reader of a name such as `openai:gpt-5`, with the keys that the environment holds.

    No call is made yet. Raises UserError where the name says no known vendor and a model, and where
    a sum is set that cannot be held, since the price is not known.
    """
    parsed = parse_model_name(name)
    budget = budget or Budget()
    if budget.most_usd is not None and not 0 < budget.most_usd <= MOST_DOLLARS:
        raise UserError(f"a sum of ${budget.most_usd:g} is none that can be kept to")
    if budget.most_usd is not None and budget.price is None:
        raise UserError(
            f"the price of {parsed} is not known, so no sum of money can be kept to",
            remedy="give its price, or set no sum",
        )
    client = _Connecting(parsed, environment, budget.seconds)
    return ModelReader(parsed, client, budget=budget, cache=cache)
