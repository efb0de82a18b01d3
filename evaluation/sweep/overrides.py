"""Flags over a file: what was said on the command line wins, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

from authoring.artefacts import Value
from authoring.errors import UserError
from authoring.spec import Condition
from evaluation.sweep.request import SCHEMA, SweepRequest, UpstreamKind

Fields = Mapping[str, JsonValue]


class Overrides(Value):
    """What flags say. None or empty: nothing, so that the file or the default holds."""

    name: str | None = None
    builds: tuple[str, ...] = ()
    harness: str | None = None
    models: tuple[str, ...] = ()
    upstream: str | None = None
    upstream_kind: UpstreamKind | None = None
    key_variable: str | None = None
    key_file: str | None = None
    settings: dict[str, JsonValue] = {}
    accept: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    repetitions: int | None = None
    seconds: float | None = None
    turns: int | None = None
    tokens: int | None = None
    run_dollars: float | None = None
    silence: float | None = None
    dollars: float | None = None
    retries: int | None = None
    concurrency: int | None = None
    sandbox: str | None = None
    judge: str | None = None
    prices: str | None = None
    windows: str | None = None

    @property
    def agent(self) -> Fields:
        """What is said of the agent itself."""
        said: dict[str, JsonValue] = {
            "harness": self.harness,
            "models": list(self.models),
            "accept": list(self.accept),
            "settings": self.settings,
        }
        return {key: value for key, value in said.items() if value}

    @property
    def server(self) -> Fields:
        """What is said of its upstream. Of the two names of a key one takes the other's place."""
        said: dict[str, JsonValue] = {
            "url": self.upstream,
            "kind": self.upstream_kind,
            "key_variable": self.key_variable,
            "key_file": self.key_file,
        }
        fields = {key: value for key, value in said.items() if value is not None}
        if len(fields.keys() & {"key_variable", "key_file"}) == 1:
            fields = {"key_variable": "", "key_file": "", **fields}
        return fields

    @property
    def limits(self) -> Fields:
        """What is said of the limits of a run."""
        said: dict[str, JsonValue] = {
            "seconds": self.seconds,
            "turns": self.turns,
            "tokens": self.tokens,
            "dollars": self.run_dollars,
            "silence": self.silence,
        }
        return {key: value for key, value in said.items() if value is not None}

    @property
    def sweep(self) -> Fields:
        """What is said of the sweep as a whole."""
        said: dict[str, JsonValue] = {
            "name": self.name,
            "builds": list(self.builds) or None,
            "conditions": list(self.conditions) or None,
            "repetitions": self.repetitions,
            "dollars": self.dollars,
            "retries": self.retries,
            "concurrency": self.concurrency,
            "sandbox": self.sandbox,
            "judge": self.judge,
            "prices": self.prices,
            "models": self.windows,
        }
        return {key: value for key, value in said.items() if value is not None}


FLAGS: Mapping[str, str] = {
    "agents.models": "--model",
    "agents.harness": "--harness",
    "agents.accept": "--accept",
    "agents.settings": "--setting",
    "agents.upstream": "--upstream",
    "agents.upstream.url": "--upstream",
    "agents.upstream.kind": "--upstream-kind",
    "agents.upstream.key_variable": "--key-variable",
    "agents.upstream.key_file": "--key-file",
    "limits.dollars": "--run-dollars",
    "builds": "--build",
    "conditions": "--condition",
}
"""The flag of a field, where it is not called as the field is."""


def with_overrides(request: SweepRequest | None, said: Overrides) -> SweepRequest:
    """The file with the flags put in, or the flags alone.

    Raises UserError with every problem: nothing to run, a value that a field cannot have, a flag
    that speaks of one agent where the file has several.
    """
    start: dict[str, Any] = {"schema": SCHEMA, "builds": [], "agents": [], "limits": {}}
    whole = request.model_dump(mode="json", by_alias=True) if request else start
    whole.update(said.sweep)
    whole["limits"] |= said.limits
    whole["agents"] = _agents(whole["agents"], said)
    asked = [agent.get("models") for agent in whole["agents"]]
    needed = {"--build": bool(whole["builds"]), "--model": bool(asked) and all(asked)}
    missing = [flag for flag, there in needed.items() if not there]
    if missing:
        what = f"nothing says what to run: {' and '.join(missing)} missing"
        raise UserError(what, remedy="give them, or a SWEEP.yaml; docs/evaluation.md shows one")
    try:
        return SweepRequest.model_validate(whole)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        # A list that seems too short has an item with a fault of its own.
        faults = (_told(one) for one in errors if one["type"] != "too_short")
        raise UserError("\n".join(dict.fromkeys(faults))) from error


def _agents(agents: list[dict[str, Any]], said: Overrides) -> list[dict[str, Any]]:
    if not said.agent and not said.server:
        return agents
    if len(agents) > 1:
        what = f"the file has {len(agents)} agents, and a flag speaks of one: {_spoken(said)}"
        raise UserError(what, remedy="change the file, or leave the flag out")
    agent: dict[str, Any] = agents[0] if agents else {"models": []}
    server = {**(agent.get("upstream") or {}), **said.server}
    return [{**agent, **said.agent, **({"upstream": server} if server else {})}]


def _spoken(said: Overrides) -> str:
    fields = [f"agents.{key}" for key in said.agent]
    fields += (f"agents.upstream.{key}" for key, value in said.server.items() if value)
    return ", ".join(FLAGS[one] for one in fields)


def _told(error: ErrorDetails) -> str:
    """One of pydantic's errors, by the flag that it is about."""
    path = ".".join(part for part in error["loc"] if isinstance(part, str))
    name = FLAGS.get(path, f"--{path.rsplit('.', 1)[-1].replace('_', '-')}")
    if error["type"] == "missing" and path == "agents.upstream.url":
        return "no upstream is given for what is said of its key: --upstream missing"
    message = error["msg"].removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}"
