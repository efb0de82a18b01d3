"""What a user asks for (`ocb.sweep-request/1`): a YAML file, flags, or flags over a file.

Every problem of a file is told at once, at its line and column, with the nearest valid name.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, model_validator

from authoring.artefacts import Value
from authoring.errors import Problem, SpecError, UserError, nearest
from authoring.inert import controls
from authoring.spec import Condition
from authoring.typed import to_typed
from authoring.yaml_source import Entry, Node, Scalar, entries_at, node_at, read_yaml
from evaluation.agents.catalogue import harness_names
from evaluation.gateway.address import check_url
from evaluation.judging.catalogue import DEFAULT, judge_named
from evaluation.run import RUN_FOLDER, Limits
from evaluation.sandboxes.catalogue import AUTO, SANDBOXES
from evaluation.simulated.model import parse_model
from evaluation.sweep.plan import SIMULATED
from generators.build_paths import BuildPaths
from generators.models.prices import MOST_DOLLARS

MOST_REPETITIONS = 100_000
MOST_RETRIES = 100
MOST_CONCURRENCY = 64
LONGEST_MODEL = 200
"""Characters."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")

UpstreamKind = Literal["anthropic", "openai", "compatible"]


def _a_folder_name(name: str) -> str:
    if name and not NAME.fullmatch(name):
        raise ValueError("a sweep's name is up to 100 letters, digits, '.', '_', '+' and '-'")
    if RUN_FOLDER.fullmatch(name):
        raise ValueError("12 hex digits are the name of a run, and cannot be that of a sweep")
    return name


def _a_model_name(name: str) -> str:
    if not name.strip() or name != name.strip() or any(controls(name)) or not name.isprintable():
        raise ValueError("a model's name is text without space around it or control characters")
    if len(name) > LONGEST_MODEL:
        raise ValueError(f"a model's name has at most {LONGEST_MODEL} characters")
    return name


Name = Annotated[str, AfterValidator(_a_folder_name)]
ModelName = Annotated[str, AfterValidator(_a_model_name)]
Repetitions = Annotated[int, Field(ge=1, le=MOST_REPETITIONS)]
Retries = Annotated[int, Field(ge=0, le=MOST_RETRIES)]
Concurrency = Annotated[int, Field(ge=1, le=MOST_CONCURRENCY)]
Cap = Annotated[float, Field(gt=0, le=MOST_DOLLARS, allow_inf_nan=False)]


class UpstreamRequest(Value):
    """The server of real models. Its key is named, and never written here."""

    url: str
    kind: UpstreamKind = "compatible"
    """`anthropic` or `openai`: the vendor's own. `compatible`: any that speaks its protocol."""
    key_variable: str = ""
    """The environment variable that holds the key."""
    key_file: str = ""
    """The file that holds it."""

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if self.key_variable and self.key_file:
            raise ValueError("key_variable and key_file both name the key: leave one of them out")
        return self


class AgentRequest(Value):
    """One agent and the models that it is run with."""

    harness: str = "fixed"
    models: Annotated[tuple[ModelName, ...], Field(min_length=1)]
    """`sim/NAME` for a simulated one, else a name that the upstream knows."""
    upstream: UpstreamRequest | None = None
    """None: every model is simulated."""
    settings: dict[str, JsonValue] = {}
    """Sampling and reasoning settings, by the harness's names for them."""
    accept: tuple[ModelName, ...] = ()
    """More names under which these models may answer."""


class SweepRequest(Value):
    """What is to be run."""

    schema_: Annotated[Literal["ocb.sweep-request/1"], Field(alias="schema")]
    name: Name = ""
    """Of the sweep's folder; empty: one that the plan gives."""
    builds: Annotated[tuple[str, ...], Field(min_length=1)]
    """Folders of sealed builds, or globs; relative to the file."""
    agents: Annotated[tuple[AgentRequest, ...], Field(min_length=1)]
    conditions: Annotated[tuple[Condition, ...], Field(min_length=1)] = ("direct",)
    repetitions: Repetitions = 1
    """Of each scenario, model and condition, spread over the builds of the scenario."""
    limits: Limits = Limits()
    """Of one run."""
    dollars: Cap | None = None
    """What all runs together may spend."""
    retries: Retries = 2
    """How often a void run is made again."""
    concurrency: Concurrency = 2
    sandbox: str = AUTO
    judge: str = DEFAULT
    prices: str = ""
    """File of prices (`ocb.prices/1`)."""
    models: str = ""
    """File of context windows (`ocb.models/1`)."""


SCHEMA: Literal["ocb.sweep-request/1"] = "ocb.sweep-request/1"


def read_request(path: Path, *, served: bool = False) -> SweepRequest:
    """Read a user's file; its paths come out relative to the working folder, its globs as folders.

    `served`: an upstream is named elsewhere. Raises SpecError with every problem.
    """
    source = read_yaml(path)
    typed = to_typed(source.root, SweepRequest, place=source.root.place)
    problems = [*typed.problems, *_problems(source.root, path.parent, served=served)]
    if problems or typed.value is None:
        raise SpecError(dict.fromkeys(problems))
    return _from_folder(typed.value, path.parent)


def folders_of(pattern: str, base: Path) -> tuple[Path, ...]:
    """The folders that a path or a glob means, sorted by name. A glob means builds alone."""
    if "\0" in pattern:
        return ()
    literal = base / pattern
    if literal.is_dir():
        return (literal,)
    if not glob.has_magic(pattern):
        return ()
    # Path.glob takes no absolute pattern.
    found = sorted(glob.glob(pattern, root_dir=base))  # noqa: PTH207
    return tuple(base / one for one in found if BuildPaths(base / one).manifest.is_file())


def _from_folder(request: SweepRequest, base: Path) -> SweepRequest:
    def joined(path: str) -> str:
        return str(base / path) if path else ""

    agents = tuple(
        agent
        if agent.upstream is None
        else agent.model_copy(
            update={
                "upstream": agent.upstream.model_copy(
                    update={"key_file": joined(agent.upstream.key_file)}
                )
            }
        )
        for agent in request.agents
    )
    return request.model_copy(
        update={
            "builds": tuple(str(one) for text in request.builds for one in folders_of(text, base)),
            "agents": agents,
            "prices": joined(request.prices),
            "models": joined(request.models),
        }
    )


def _problems(root: Node, base: Path, *, served: bool) -> Iterator[Problem]:
    """What is wrong in a file beside its form: names that nobody has, files that are not there."""
    yield from _named("sandbox", node_at(root, "sandbox"), _check_sandbox)
    yield from _named("judge", node_at(root, "judge"), judge_named)
    for entry in entries_at(root, "builds"):
        yield from _build_problems(entry, base)
    for key in ("prices", "models"):
        yield from _file_problems(node_at(root, key), base)
    for agent in entries_at(root, "agents"):
        yield from _named("harness", node_at(agent.value, "harness"), _check_harness)
        yield from _named("address", node_at(agent.value, "upstream", "url"), check_url)
        yield from _file_problems(node_at(agent.value, "upstream", "key_file"), base)
        yield from _model_problems(agent.value, served=served)


def _named(what: str, node: Node | None, check: Callable[[str], object]) -> Iterator[Problem]:
    if isinstance(node, Scalar) and node.text:
        try:
            check(node.text)
        except UserError as error:
            yield Problem(f"bad-{what}", node.place, error.what, error.remedy)


def _check_harness(name: str) -> None:
    known = harness_names()
    if name not in known:
        raise UserError(f"there is no harness {name!r}", remedy=nearest(name, known))


def _check_sandbox(name: str) -> None:
    known = (*SANDBOXES, AUTO)
    if name not in known:
        raise UserError(f"there is no sandbox {name!r}", remedy=nearest(name, known))


def _build_problems(entry: Entry, base: Path) -> Iterator[Problem]:
    node = entry.value
    if not isinstance(node, Scalar) or not node.text or folders_of(node.text, base):
        return
    remedy = "`ocb author build` makes one; paths are relative to this file"
    yield Problem("no-build", node.place, f"there is no build {node.text!r}", remedy)


def _file_problems(node: Node | None, base: Path) -> Iterator[Problem]:
    if isinstance(node, Scalar) and node.text and not _is_file(base, node.text):
        remedy = "paths are relative to this file"
        yield Problem("no-file", node.place, f"there is no file {node.text!r}", remedy)


def _is_file(base: Path, name: str) -> bool:
    return "\0" not in name and (base / name).is_file()


def _model_problems(agent: Node, *, served: bool) -> Iterator[Problem]:
    models = node_at(agent, "models")
    named = [e.value for e in entries_at(agent, "models") if isinstance(e.value, Scalar)]
    simulated = [node for node in named if node.text.startswith(SIMULATED)]
    for node in simulated:
        yield from _named("model", node, parse_model)
    if models is not None and simulated and len(simulated) < len(named):
        what, remedy = MIXED
        yield Problem("mixed-models", models.place, what, remedy)
    elif named and not simulated and not served and node_at(agent, "upstream") is None:
        what = f"{named[0].text}: no upstream is given"
        yield Problem("no-upstream", agent.place, what, "add `upstream: {url: …}`")
    seen: dict[str, Scalar] = {}
    for node in named:
        if node.text in seen:
            what = f"the model {node.text!r} is named already, in line {seen[node.text].place.line}"
            yield Problem("duplicate-model", node.place, what)
        seen.setdefault(node.text, node)


MIXED = (
    "simulated and real models cannot be under one agent",
    "name the harness twice, as two agents",
)
