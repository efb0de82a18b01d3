"""The parts of a sweep, gathered from disk and machine; what cannot be had becomes a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from authoring.errors import OcbError, UserError
from evaluation.agents.catalogue import make_harness
from evaluation.agents.harness import Harness
from evaluation.judging.catalogue import judge_named
from evaluation.judging.judge import Judge
from evaluation.sandboxes.catalogue import Choice, choose
from evaluation.sweep.costs import Prices, load_prices
from evaluation.sweep.plan import SIMULATED, PlannedAgent, UpstreamSpec, base_url
from evaluation.sweep.preflight import PreflightCheck, noted, passed, raised, refused
from evaluation.sweep.request import AgentRequest, SweepRequest, folders_of
from generators.build import load_build
from generators.build_paths import BuildPaths
from ocb.sweeps import Sealed
from validation.feasibility import Tables, load_tables
from validation.report import Level
from validation.seal import seal_of

Part = TypeVar("Part")


@dataclass(frozen=True)
class Allowed:
    """What the user lets pass."""

    infeasible: bool = False
    unvalidated: bool = False
    again: bool = False
    """Runs that stayed void in an earlier sweep are made once more."""


@dataclass
class Gathering:
    """Gets one part after another, and keeps what it found on the way."""

    request: SweepRequest
    tools: Path
    allowed: Allowed
    checks: list[PreflightCheck] = field(default_factory=list)
    builds: dict[str, Sealed] = field(default_factory=dict)
    """By name, each once."""
    harnesses: dict[str, Harness] = field(default_factory=dict)
    """By name, those whose program told its version."""
    agents: list[PlannedAgent] = field(default_factory=list)

    @property
    def is_refused(self) -> bool:
        """Whether anything so far keeps the sweep from starting."""
        return not all(check.ok for check in self.checks)

    def get_builds(self) -> None:
        """Every build with its seal."""
        for folder in self._folders():
            build = self._tried("build", "", partial(load_build, folder))
            if build is None:
                continue
            name = build.manifest.build
            if name not in self.builds:
                self.builds[name] = Sealed(build, self._seal(folder, name))
            elif self.builds[name].build.manifest == build.manifest:
                self.checks.append(noted("build", name, f"{folder} holds it again; taken once"))
            else:
                what = f"{folder} is another build of the same name"
                self.checks.append(refused("build", name, what, "build it again"))

    def _folders(self) -> Iterator[Path]:
        for pattern in dict.fromkeys(self.request.builds):
            folders = folders_of(pattern, Path())
            yield from folders
            if not folders:
                remedy = "`ocb author build` makes one"
                self.checks.append(refused("build", "", f"there is no build {pattern!r}", remedy))

    def _seal(self, folder: Path, name: str) -> Level | None:
        try:
            seal = seal_of(BuildPaths(folder))
        except UserError as error:
            if self.allowed.unvalidated:
                what = f"allowed, and marked in every report: {error.what}"
                self.checks.append(noted("seal", name, what))
            else:
                self.checks.append(raised("seal", name, error))
            return None
        self.checks.append(passed("seal", name, f"sealed, {seal}"))
        return seal

    def get_agents(self) -> None:
        """Every agent, at the version that its program tells."""
        versions: dict[str, str] = {}
        for name in dict.fromkeys(agent.harness for agent in self.request.agents):
            made = self._tried("agent", name, partial(make_harness, name, self.tools))
            version = self._tried("agent", name, made.installed_version) if made else None
            if made is not None and version is not None:
                self.harnesses[name], versions[name] = made, version
                self.checks.append(passed("agent", name, f"version {version}"))
        for agent in self.request.agents:
            if agent.harness in versions:
                self.agents.append(self._planned(agent, versions[agent.harness]))

    def _planned(self, agent: AgentRequest, version: str) -> PlannedAgent:
        asked = agent.upstream
        upstream = UpstreamSpec()
        if asked and all(model.startswith(SIMULATED) for model in agent.models):
            what = "every model is simulated: the upstream is not used"
            self.checks.append(noted("models", agent.harness, what))
        elif asked:
            upstream = UpstreamSpec(
                kind=asked.kind,
                url=base_url(asked.url, self.harnesses[agent.harness].profile.protocol),
                key_variable=asked.key_variable,
                key_file=asked.key_file,
            )
        return PlannedAgent(
            harness=agent.harness,
            harness_version=version,
            models=tuple(dict.fromkeys(agent.models)),
            settings=agent.settings,
            upstream=upstream,
            accepted=tuple(dict.fromkeys(agent.accept)),
        )

    def judge(self) -> Judge | None:
        """Who labels the responses."""
        return self._tried("judge", "", lambda: judge_named(self.request.judge))

    def sandbox(self) -> Choice | None:
        """The strongest that works, or the one asked for; None where no agent needs one."""
        if not any(one.profile.needs_sandbox for one in self.harnesses.values()):
            self.checks.append(passed("sandbox", "", "no agent needs one"))
            return None
        choice = self._tried("sandbox", "", lambda: choose(self.request.sandbox))
        if choice is not None and choice.name == "none":
            what = "none: agents run as you, and may read and change whatever you may"
            self.checks.append(noted("sandbox", "", what))
        elif choice is not None:
            self.checks.append(passed("sandbox", "", f"{choice.name}, {choice.reason}"))
        return choice

    def tables(self) -> Tables | None:
        """What reading costs, and how much models hold."""
        file = Path(self.request.models) if self.request.models else None
        return self._tried("models-table", "", lambda: load_tables(file))

    def prices(self) -> Prices:
        """The user's table; empty where none is given."""
        if not self.request.prices:
            return Prices()
        path = Path(self.request.prices)
        return self._tried("prices", "", lambda: load_prices(path)) or Prices()

    def _tried(self, name: str, about: str, make: Callable[[], Part]) -> Part | None:
        """What `make` gives; None where it raises an error, which becomes a check."""
        try:
            return make()
        except OcbError as error:
            self.checks.append(raised(name, about, error))
            return None
