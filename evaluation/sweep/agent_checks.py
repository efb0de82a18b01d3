"""What is looked at in each agent before a sweep: its models, its server, its key, its settings.

No call is made: what a server says of a key or a model's name shows in the first run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from authoring.errors import Place, UserError, nearest
from authoring.spec import Condition
from evaluation.agents.harness import Profile
from evaluation.gateway.address import check_url
from evaluation.gateway.secrets import check_key, key_is_safe
from evaluation.gateway.wire import Protocol
from evaluation.simulated.model import check_hands, parse_model
from evaluation.sweep.plan import SIMULATED, PlannedAgent, UpstreamSpec
from evaluation.sweep.preflight import PreflightCheck, is_simulated, noted, passed, raised, refused
from evaluation.sweep.request import MIXED
from generators.build import Build

SPOKEN: Mapping[str, frozenset[Protocol]] = {
    "anthropic": frozenset(("anthropic",)),
    "openai": frozenset(("openai-chat", "openai-responses")),
}
"""The protocols of the vendors' own servers; a compatible one may speak any."""


def check_models(agent: PlannedAgent) -> PreflightCheck:
    """Names that can be asked for, all simulated or none, and a server for those that are not."""
    about = agent.harness
    simulated = [model for model in agent.models if model.startswith(SIMULATED)]
    try:
        for model in simulated:
            parse_model(model)
    except UserError as error:
        return raised("models", about, error)
    if simulated and len(simulated) < len(agent.models):
        return refused("models", about, *MIXED)
    if not simulated and agent.upstream.kind == "simulated":
        what = f"{agent.models[0]}: no upstream is given"
        return refused("models", about, what, "--upstream URL, or a sim/ model")
    return passed("models", about, ", ".join(agent.models))


def check_simulated(agent: PlannedAgent, profile: Profile) -> Iterator[PreflightCheck]:
    """Each simulated model is given what it works by. Unknown ones are told by `check_models`."""
    for model in (model for model in agent.models if model.startswith(SIMULATED)):
        try:
            check_hands(parse_model(model), profile.hands, agent.harness)
        except UserError as error:
            yield raised("models", agent.harness, error)


def check_once(agents: Sequence[PlannedAgent]) -> Iterator[PreflightCheck]:
    """No run is planned under two agents, which would then be one."""
    seen: set[bytes] = set()
    for agent in agents:
        for model in agent.models:
            same = [agent.harness, model, agent.settings, agent.upstream.kind]
            key = orjson.dumps(same, option=orjson.OPT_SORT_KEYS)
            if key in seen:
                what = f"{model} is planned twice with the same settings"
                yield refused("models", agent.harness, what, "leave one out")
            seen.add(key)


def check_upstream(agent: PlannedAgent, profile: Profile) -> PreflightCheck:
    """An address that calls can be sent to, of a server that speaks the agent's protocol."""
    about, upstream = agent.harness, agent.upstream
    if is_simulated(agent):
        return passed("upstream", about, f"simulated, {profile.protocol}")
    try:
        check_url(upstream.url)
    except UserError as error:
        return raised("upstream", about, error)
    spoken = SPOKEN.get(upstream.kind, frozenset((profile.protocol,)))
    if profile.protocol not in spoken:
        what = f"{about} speaks {profile.protocol}, and a server of kind {upstream.kind!r} speaks "
        remedy = "say `compatible` for a server that speaks it too"
        return refused("upstream", about, what + " and ".join(sorted(spoken)), remedy)
    detail = f"{upstream.url} ({upstream.kind}), {profile.protocol}; no call was made"
    return passed("upstream", about, detail)


def read_key(upstream: UpstreamSpec, environment: Mapping[str, str]) -> str:
    """The key of a server, from the environment or a file; empty where it wants none.

    Raises UserError, which never says the key, where it is missing or no header can carry it.
    """
    key = ""
    if upstream.key_variable:
        key = environment.get(upstream.key_variable, "")
        if not key:
            what = f"the environment variable {upstream.key_variable} is not set"
            raise UserError(what, remedy=f"set it to the key of {upstream.url}")
    elif upstream.key_file:
        place = Place(upstream.key_file)
        try:
            key = Path(upstream.key_file).read_text(encoding="utf-8").strip()
        except (OSError, ValueError) as error:
            raise UserError("the key cannot be read", place=place) from error
        if not key:
            raise UserError("the file of the key is empty", place=place)
    check_key(key)
    return key


def check_agent_key(
    agent: PlannedAgent, environment: Mapping[str, str], builds: Iterable[Build]
) -> PreflightCheck:
    """The key is there, a header can carry it, and it stands in no corpus."""
    about = agent.harness
    if is_simulated(agent):
        return passed("key", about, "none is needed")
    try:
        key = read_key(agent.upstream, environment)
    except UserError as error:
        return raised("key", about, error)
    for build in builds:
        if not key_is_safe(key, build.texts.values()):
            what = f"it stands in the corpus of {build.manifest.build}"
            return refused("key", about, f"{what}: masking it would hide lines", "use another key")
    if not key:
        return noted("key", about, "none is named: calls go out without one")
    return passed("key", about, "set")


def check_settings(agent: PlannedAgent, profile: Profile) -> PreflightCheck:
    """Settings that the harness can be given."""
    for name in agent.settings:
        if name not in profile.settings:
            what = f"{agent.harness} has no setting {name!r}"
            return refused("settings", agent.harness, what, nearest(name, profile.settings))
    return passed("settings", agent.harness, ", ".join(agent.settings) or "the CLI's own")


def check_conditions(
    conditions: Iterable[Condition], builds: Iterable[Build], profiles: Mapping[str, Profile]
) -> Iterator[PreflightCheck]:
    """Each condition is one that every harness can run and every scenario asks."""
    specs = {build.manifest.scenario: build.spec for build in builds}
    for condition in conditions:
        scenarios = [n for n, spec in specs.items() if condition not in spec.task.conditions]
        harnesses = [n for n, profile in profiles.items() if condition not in profile.conditions]
        lacking = [f"the scenario {name}" for name in scenarios]
        lacking += [f"the harness {name}" for name in harnesses]
        if lacking:
            remedy = "leave the condition out, or make sweeps of their own"
            yield refused("condition", condition, f"not given by {', '.join(lacking)}", remedy)
        else:
            yield passed("condition", condition, "every scenario and harness gives it")
