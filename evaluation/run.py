"""One run on disk: its key, its outcome, its folder (`ocb.run/1`).

The key says everything that could change what the agent does, and nothing else: no path, time,
concurrency, judge or kind of sandbox. Two runs of one key are the same run, so a sweep can resume.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import orjson
from pydantic import Field, JsonValue

from authoring.artefacts import Value, sha256
from authoring.spec import Condition, Identifier
from generators.manifest import Hash

OutcomeKind = Literal[
    # Void: rerun up to the retry policy.
    "infrastructure",
    "not_measurable",
    "wrong_model",
    "no_tools",
    # Ended: never rerun.
    "limit",
    "stalled",
    "refused",
    "no_answer",
    "no_report",
    "completed",
]

RUN_FOLDER = re.compile(r"[0-9a-f]{12}")

VOID: frozenset[OutcomeKind] = frozenset(
    ("infrastructure", "not_measurable", "wrong_model", "no_tools")
)


MOST_SECONDS = 7 * 24 * 3600.0
"""The longest run: a week."""

MOST_ATTEMPTS = 10_000
"""Of one run."""

# A record that was edited by hand may say anything: what it says is added up, and counts as spent.
Count = Annotated[int, Field(ge=0, le=10**18)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Limits(Value):
    """What ends a run early."""

    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, allow_inf_nan=False)] = 1800.0
    """Wall clock of the agent's process, waits for a throttled upstream taken off."""
    turns: Annotated[int, Field(gt=0)] = 500
    """Model calls of all threads together."""
    tokens: Annotated[int, Field(gt=0)] | None = None
    """Input and output of all calls together, by the upstream's own count; None: no limit."""
    dollars: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """By the user's price table; None: no limit."""
    silence: Annotated[float, Field(gt=0, le=MOST_SECONDS, allow_inf_nan=False)] = 600.0
    """Seconds without a sign of life (a byte printed, or sent to or from the model's server) after
    which a run is stalled."""


class RunKey(Value):
    """What a run is."""

    scenario: Identifier
    tree: Hash
    harness: str
    harness_version: str
    model: str
    """As asked for: `sim/oracle`, `claude-sonnet-5`."""
    settings: dict[str, JsonValue] = {}
    """Sampling and reasoning settings, as sent."""
    upstream: Literal["simulated", "anthropic", "openai", "compatible"]
    condition: Condition
    prompt_sha256: Hash
    tools: tuple[str, ...]
    """Names of the tools the harness offers by our choice; empty where the CLI decides."""
    limits: Limits
    repetition: Annotated[int, Field(ge=1)]

    def digest(self) -> str:
        """The first 12 hex digits of SHA-256 over the key: the run's folder name."""
        data = orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
        return sha256(data)[:12]


class Outcome(Value):
    """How a run ended: exactly one kind, the first that holds (docs/measurement.md, Outcome)."""

    kind: OutcomeKind
    reason: str = ""
    """For a reader: which limit with its measured value, which exit code, what was missing."""


class Usage(Value):
    """Tokens by the upstream's own count, all threads and background calls together."""

    calls: Count = 0
    input_tokens: Count = 0
    """Cached input included."""
    output_tokens: Count = 0
    cached_tokens: Count = 0
    cache_written: Count = 0
    uncounted: Count = 0
    """Calls whose usage the upstream did not tell: the counts above, and the cost, are at least."""


class RunRecord(Value):
    """`run.json`."""

    schema_: Annotated[Literal["ocb.run/1"], Field(alias="schema")] = "ocb.run/1"
    key: RunKey
    simulated: bool
    sandbox: str
    """`bubblewrap`, `none`, or `not needed`."""
    validation: Literal["structural", "read", "not validated"]
    outcome: Outcome
    ended: Outcome | None = None
    """How the agent's process ended, before anything was scored: what a new score starts from."""
    started: Seconds
    """Seconds since the Unix epoch."""
    seconds: Seconds
    """Wall clock of the agent."""
    usage: Usage
    cost: Dollars | None = None
    """US dollars by the user's price table, of what the upstream told: at least so much where calls
    are uncounted. None where a price is unknown."""
    charged: Dollars | None = None
    """US dollars that count against caps: the cost, and the estimated input of uncounted calls."""
    unpaid: Dollars | None = None
    """US dollars that its next call might have cost, where the sweep's money did not hold it and
    the run was cut off: that is none of its attempts. None where that did not happen."""
    upstream: str = ""
    """Where its model was: a URL without user, password and query. Empty for a simulated one."""
    attempt: Annotated[int, Field(ge=1, le=MOST_ATTEMPTS)] = 1
    """Void attempts before this one are kept beside it."""
    taken_from: str = ""
    """The sweep that made and paid for it, where this one took it over."""
    accepted: tuple[str, ...] = ()
    """Names under which the model may answer, beside those that the harness knows."""
    feasible: bool | None = None
    """Whether the model can hold a full reading; None where its window is not known."""
    marks: tuple[str, ...] = ()
    """What the agent did that the sandbox had to stop or clean up after."""
    models: dict[str, Count]
    """Models that answered the main thread, with the number of answers."""


def is_run(folder: Path) -> bool:
    """Whether a folder is named like a run; an agent may write a `run.json` of its own."""
    return RUN_FOLDER.fullmatch(folder.name) is not None


@dataclass(frozen=True)
class RunPaths:
    """A run's folder. Nobody else joins these paths.

    runs/<sweep>/<first 12 hex digits of the run key>/
    ├── run.json            RunRecord; written when the agent has ended, and when it is scored
    ├── wire.jsonl.zst      every model call (ocb.wire/1)
    ├── native/             what the CLI itself wrote: session, stdout, stderr
    ├── trajectory.json     ATIF-v1.8, from native/
    ├── final.md            the final response
    ├── deliverables/       files the agent wrote
    ├── truth.json          what a simulated model knows it read (ocb.truth/1)
    └── score.json          ocb.score/1
    """

    root: Path

    @property
    def record(self) -> Path:
        return self.root / "run.json"

    @property
    def wire(self) -> Path:
        return self.root / "wire.jsonl.zst"

    @property
    def native(self) -> Path:
        return self.root / "native"

    @property
    def trajectory(self) -> Path:
        return self.root / "trajectory.json"

    @property
    def final(self) -> Path:
        return self.root / "final.md"

    @property
    def deliverables(self) -> Path:
        return self.root / "deliverables"

    @property
    def truth(self) -> Path:
        return self.root / "truth.json"

    @property
    def score(self) -> Path:
        return self.root / "score.json"
