"""What a sweep runs (`ocb.sweep/1`): models x conditions x repetitions of one build."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import orjson
import yaml
from pydantic import Field, JsonValue

from authoring.artefacts import Value, sha256, write_bytes
from authoring.prompt import render_prompt
from authoring.spec import Condition
from evaluation.agents.harness import Profile
from evaluation.run import Limits, RunKey, RunPaths
from evaluation.sandboxes.layout import INSIDE
from evaluation.simulated.model import parse_model
from generators.build import Build

SIMULATED = "sim/"


KEY_NAME = {"key_variable"}


class UpstreamSpec(Value):
    """Where model calls go; the key itself is never part of a plan."""

    kind: Literal["simulated", "anthropic", "openai", "compatible"] = "simulated"
    url: str = ""
    """Base URL; empty for simulated models."""
    key_variable: str = ""
    """The environment variable that holds the key."""


class SweepPlan(Value):
    """`sweep.yaml`: all that was asked for."""

    schema_: Annotated[Literal["ocb.sweep/1"], Field(alias="schema")] = "ocb.sweep/1"
    build: str
    """Name of the build: scenario and hash."""
    harness: str
    harness_version: str
    models: Annotated[tuple[str, ...], Field(min_length=1)]
    conditions: Annotated[tuple[Condition, ...], Field(min_length=1)] = ("direct",)
    repetitions: Annotated[int, Field(ge=1)] = 1
    settings: dict[str, JsonValue] = {}
    limits: Limits = Limits()
    upstream: UpstreamSpec = UpstreamSpec()

    def name(self) -> str:
        """The sweep's folder: the same plan, or one with more repetitions, goes on in it."""
        # Nor does it matter under which name the key lies in the environment.
        data = self.model_dump(mode="json", exclude={"repetitions": True, "upstream": KEY_NAME})
        digest = sha256(orjson.dumps(data, option=orjson.OPT_SORT_KEYS))
        return f"{self.build.rsplit('-', 1)[0]}-{self.harness}-{digest[:8]}"


@dataclass(frozen=True)
class SweepPaths:
    """A sweep's folder. Nobody else joins these paths.

    runs/<sweep>/
    ├── sweep.yaml              the plan as resolved
    ├── .lock                   held by the one process that is at work here
    └── <run key, 12 digits>/   one run: see RunPaths
    """

    root: Path

    @property
    def plan(self) -> Path:
        return self.root / "sweep.yaml"

    @property
    def lock(self) -> Path:
        return self.root / ".lock"

    def run(self, key: RunKey) -> RunPaths:
        return RunPaths(self.root / key.digest())

    def unfinished(self, key: RunKey) -> RunPaths:
        """Where a run is made; it is renamed when it is whole."""
        return RunPaths(self.root / f".{key.digest()}.unfinished")


def planned_runs(plan: SweepPlan, build: Build, profile: Profile) -> Iterator[RunKey]:
    """Every run of a sweep; repetitions outermost, so that an interrupted sweep is balanced.

    Raises UserError for an unknown simulated model.
    """
    for model in plan.models:
        if model.startswith(SIMULATED):
            parse_model(model)
    for repetition in range(1, plan.repetitions + 1):
        for condition in plan.conditions:
            # With the neutral folder, so that the key does not depend on the sandbox.
            prompt = task_prompt(build, condition, INSIDE.corpus)
            for model in plan.models:
                yield RunKey(
                    scenario=build.manifest.scenario,
                    tree=build.manifest.tree,
                    harness=plan.harness,
                    harness_version=plan.harness_version,
                    model=model,
                    settings=plan.settings,
                    upstream=plan.upstream.kind,
                    condition=condition,
                    prompt_sha256=sha256(prompt.encode()),
                    tools=profile.offered,
                    limits=plan.limits,
                    repetition=repetition,
                )


def task_prompt(build: Build, condition: Condition, folder: str) -> str:
    """What the agent is asked, the corpus being at `folder`."""
    files = sum(file.role == "review" for file in build.manifest.files)
    return render_prompt(build.spec, condition, files=files, folder=folder)


def write_plan(paths: SweepPaths, plan: SweepPlan) -> None:
    """Write `sweep.yaml`."""
    data = plan.model_dump(mode="json", by_alias=True)
    write_bytes(paths.plan, yaml.safe_dump(data, sort_keys=False, allow_unicode=True).encode())
