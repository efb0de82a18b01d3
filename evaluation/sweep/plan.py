"""What a sweep runs (`ocb.sweep/1`): agents x scenarios x conditions x repetitions, as resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import orjson
import yaml
from pydantic import AfterValidator, Field, JsonValue

from authoring.artefacts import Value, sha256, write_bytes
from authoring.prompt import render_prompt
from authoring.spec import Condition, Identifier
from evaluation.agents.harness import Profile
from evaluation.gateway.wire import Protocol
from evaluation.run import Limits, RunKey, RunPaths
from evaluation.sandboxes.layout import INSIDE
from evaluation.simulated.model import check_hands, normal_name, parse_model
from generators.build import Build
from generators.manifest import Hash

SIMULATED = "sim/"
MOST_NAMED = 3
"""Scenarios that a sweep's folder is named after; with more it is a `suite`."""


class UpstreamSpec(Value):
    """Where model calls go; the key itself is never part of a plan."""

    kind: Literal["simulated", "anthropic", "openai", "compatible"] = "simulated"
    url: str = ""
    """Base URL; empty for simulated models."""
    key_variable: str = ""
    """The environment variable that holds the key."""
    key_file: str = ""
    """The file that holds it, where no variable does."""


VERSIONS: Mapping[Protocol, tuple[str, ...]] = {"gemini": ("/v1beta", "/v1")}
"""What clients of a protocol append to a base address themselves; others append /v1."""


def base_url(url: str, protocol: Protocol) -> str:
    """An address without the version that clients append: vendors give theirs with and without."""
    url = url.rstrip("/")
    for version in VERSIONS.get(protocol, ("/v1",)):
        if url.endswith(version):
            return url.removesuffix(version).rstrip("/")
    return url


def public_url(url: str) -> str:
    """An address as it may stand in a record: without user, password, query and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


class PlannedBuild(Value):
    """One build: a scenario at one size, seed and placement."""

    build: str
    """Its name: scenario and hash."""
    scenario: Identifier
    tree: Hash
    placement: int = 0


ModelName = Annotated[str, AfterValidator(normal_name)]
"""A simulated model with parameters has one name in every key, however it was written."""


class PlannedAgent(Value):
    """One harness with the models that it asks at one upstream."""

    harness: str
    harness_version: str
    models: Annotated[tuple[ModelName, ...], Field(min_length=1)]
    settings: dict[str, JsonValue] = {}
    """Sampling and reasoning settings."""
    upstream: UpstreamSpec = UpstreamSpec()
    accepted: tuple[str, ...] = ()
    """More names under which these models may answer."""


UPSTREAM_KEY = {"key_variable", "key_file"}


class SweepPlan(Value):
    """`sweep.yaml`: all that was asked for."""

    schema_: Annotated[Literal["ocb.sweep/1"], Field(alias="schema")] = "ocb.sweep/1"
    label: str = ""
    """The folder's name, where the user gives one."""
    builds: Annotated[tuple[PlannedBuild, ...], Field(min_length=1)]
    agents: Annotated[tuple[PlannedAgent, ...], Field(min_length=1)]
    conditions: Annotated[tuple[Condition, ...], Field(min_length=1)] = ("direct",)
    repetitions: Annotated[int, Field(ge=1)] = 1
    """Of each model, scenario and condition, spread evenly over the scenario's builds."""
    limits: Limits = Limits()

    def name(self) -> str:
        """The sweep's folder: the same plan, or one with more repetitions, goes on in it."""
        if self.label:
            return self.label
        data = self.model_dump(mode="json", exclude={"repetitions": True, "label": True})
        for agent in data["agents"]:
            # Nor does it matter where the key lies, or who else may answer.
            for key in UPSTREAM_KEY:
                del agent["upstream"][key]
            del agent["accepted"]
        digest = sha256(orjson.dumps(data, option=orjson.OPT_SORT_KEYS))
        scenarios = list(self.scenarios())
        harnesses = list(dict.fromkeys(agent.harness for agent in self.agents))
        what = "+".join(scenarios) if len(scenarios) <= MOST_NAMED else "suite"
        return f"{what}-{'+'.join(harnesses)}-{digest[:8]}"

    def scenarios(self) -> Mapping[str, tuple[PlannedBuild, ...]]:
        """The builds of each scenario, by placement."""
        found: dict[str, list[PlannedBuild]] = {}
        for build in self.builds:
            found.setdefault(build.scenario, []).append(build)
        return {
            scenario: tuple(sorted(builds, key=lambda one: (one.placement, one.build)))
            for scenario, builds in found.items()
        }

    def cells(self) -> Iterator[PlannedRun]:
        """Every run, repetitions outermost, so that an interrupted sweep is balanced."""
        for repetition in range(1, self.repetitions + 1):
            for builds in self.scenarios().values():
                build = builds[(repetition - 1) % len(builds)]
                for condition in self.conditions:
                    for agent in self.agents:
                        for model in dict.fromkeys(agent.models):
                            yield PlannedRun(build, agent, model, condition, repetition)


class PlannedRun(NamedTuple):
    """One run of the matrix."""

    build: PlannedBuild
    agent: PlannedAgent
    model: str
    condition: Condition
    repetition: int


@dataclass(frozen=True)
class SweepPaths:
    """A sweep's folder. Nobody else joins these paths.

    runs/<sweep>/
    ├── sweep.yaml                  the plan as resolved
    ├── index.sqlite                the states of its runs; made again where it is lost
    ├── .lock                       held by the one process that is at work here
    ├── <run key, 12 digits>/       one run: see RunPaths
    ├── <run key>.<attempt>/        an earlier attempt at it, which was void
    └── .<run key>.unfinished/      a run that is being made, or that a crash cut off
    """

    root: Path

    @property
    def plan(self) -> Path:
        return self.root / "sweep.yaml"

    @property
    def index(self) -> Path:
        return self.root / "index.sqlite"

    @property
    def lock(self) -> Path:
        return self.root / ".lock"

    def run(self, key: RunKey) -> RunPaths:
        return self.named(key.digest())

    def named(self, digest: str) -> RunPaths:
        """The run of a key that is told by its digest."""
        return RunPaths(self.root / digest)

    def attempt(self, key: RunKey, number: int) -> RunPaths:
        """Where an earlier attempt is kept."""
        return RunPaths(self.root / f"{key.digest()}.{number}")

    def unfinished(self, key: RunKey) -> RunPaths:
        """Where a run is made; it is renamed when it is whole."""
        return RunPaths(self.root / f".{key.digest()}.unfinished")


def run_key(
    run: PlannedRun, limits: Limits, build: Build, profile: Profile, prompt: Hash | None = None
) -> RunKey:
    """The key of a planned run. Raises UserError for a simulated model that is unknown, or that the
    harness does not give what it works by.

    `prompt` is the hash of the task, where it is known already.
    """
    if run.model.startswith(SIMULATED):
        check_hands(parse_model(run.model), profile.hands, profile.name)
    return RunKey(
        scenario=build.manifest.scenario,
        tree=build.manifest.tree,
        harness=run.agent.harness,
        harness_version=run.agent.harness_version,
        model=run.model,
        settings=run.agent.settings,
        upstream=run.agent.upstream.kind,
        condition=run.condition,
        prompt_sha256=prompt or prompt_hash(build, run.condition),
        tools=profile.offered,
        limits=limits,
        repetition=run.repetition,
    )


def prompt_hash(build: Build, condition: Condition) -> Hash:
    """Of the task with the neutral folder, so that no key depends on the sandbox."""
    return sha256(task_prompt(build, condition, INSIDE.corpus).encode())


def task_prompt(build: Build, condition: Condition, folder: str) -> str:
    """What the agent is asked, the corpus being at `folder`."""
    files = sum(file.role == "review" for file in build.manifest.files)
    return render_prompt(build.spec, condition, files=files, folder=folder)


def write_plan(paths: SweepPaths, plan: SweepPlan) -> None:
    """Write `sweep.yaml`."""
    data = plan.model_dump(mode="json", by_alias=True)
    write_bytes(paths.plan, yaml.safe_dump(data, sort_keys=False, allow_unicode=True).encode())
