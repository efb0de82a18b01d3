"""What reading costs through each harness: measured on the wire of real runs.

    .venv/bin/python benchmarks/overheads.py [--write] [--tools DIR] [BUILD…]

The simulated reviewer that reads everything drives each installed harness over the builds (without
any: the shipped scenarios at `standard`), and over files made to go beyond what one read
shows. All texts of the last request are counted with cl100k_base, and the tokens that each read
adds are fitted over the files: so many a line, so many a read. The last column holds the whole
context by that law against what stood on the wire. `--write` rewrites the table that
`ocb validate` uses.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import orjson

from authoring.loading import load_spec
from authoring.spec import Size
from evaluation.agents.catalogue import HARNESSES, make_harness
from evaluation.agents.harness import Harness
from evaluation.gateway.messages import Message, ToolUse
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.wire import WireRow, read_wire
from evaluation.judging.catalogue import judge_named
from evaluation.run import Limits
from evaluation.sandboxes.catalogue import choose
from evaluation.sandboxes.layout import INSIDE
from evaluation.sweep.plan import SweepPlan, task_prompt
from generators.build import Build, load_build
from generators.catalogue import describe
from generators.lines import split_lines
from generators.tokens import count_tokens
from ocb.building import BuildFailure, BuildOrder, make_build
from ocb.shipped import find_spec, shipped_specs
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build
from validation.feasibility import corpus_tokens, full_reading
from validation.reading_costs import HarnessCost

TABLE = Path(__file__).parent.parent / "validation" / "data" / "harnesses.yaml"
VENDORS = {"claude-code": ("anthropic",), "codex": ("openai",), "gemini-cli": ("google",)}
"""Whose models a harness asks; of one that is not here, those of any vendor."""
CAP = re.compile(r"\((?P<counted>\d+) tokens, cap (?P<cap>\d+)\)")
"""What a harness says beside a part of a file that it found too large."""
NUMBERED = re.compile(r"^ *(?P<n>\d+)(?:\t|: )(?P<text>.*)", re.MULTILINE)
HEAD = """\
# What reading costs through each harness, in tokens of cl100k_base; limits of one read as measured,
# those in tokens by the vendor's own count. A key that is missing: no such limit was met.
#
# Measured on the wire of real runs; benchmarks/overheads.py measures again and rewrites this file.
schema: ocb.harnesses/1
harnesses:
"""
LIMITS_SPEC = """\
id: long_papers
title: Papers longer than one read
seed: 1
corpus:
  generator: directory
  parameters: {root: papers, longest_line: 100000, largest: 4000000}
  sizes: {small: {}}
scope: {review: ["*"]}
task:
  prompt: Review the {{ files }} papers in {{ folder }}. {{ instruction }}
  conditions: {direct: Put the whole report in your final message.}
needles:
  - id: wrong-sum
    kind: silent-except
    severity: minor
    plant:
      into: {document: txt, position: early}
      planter: edit-line
      parameters: {pattern: before, replacement: Before, nth: 1}
    report: {statement: The sum is wrong., terms: [[sum]]}
budget: {file: {most: 1000000}, corpus: {small: {most: 3000000}}}
"""
MANY, WIDE, DENSE, HUGE = "many.txt", "wide.txt", "dense.txt", "huge.txt"


class Read(NamedTuple):
    """One call that read a whole file, and what came back."""

    path: str
    use: ToolUse
    text: str


@dataclass(frozen=True)
class Context:
    """What stood in the requests of a run's main thread."""

    first: int
    """Tokens of all texts of the first one."""
    last: int
    reads: tuple[Read, ...]
    notes: str
    """All that the last one says outside of tool results."""


@dataclass(frozen=True)
class Law:
    """What a read adds to the text of a file, in tokens."""

    per_line: float
    per_read: float


def run_oracle(build: Build, harness: Harness, folder: Path) -> Context:
    """One run of the reviewer that reads everything."""
    sweep = Sweep(
        plan=SweepPlan(
            builds=(planned_build(build),),
            agents=(planned_agent(harness.profile.name, harness, ("sim/oracle",)),),
            limits=Limits(seconds=600, turns=400),
        ),
        builds={build.manifest.build: Sealed(build, None)},
        harnesses={harness.profile.name: harness},
        sandbox=choose("bubblewrap") if harness.profile.needs_sandbox else None,
        judge=judge_named("rules"),
        concurrency=1,
        parent=folder,
    )
    (record,) = execute(sweep, lambda _: None).records()
    calls = [row for row in read_wire(sweep.paths.run(record.key).wire) if _is_call(row)]
    if record.outcome.kind != "completed" or not calls:
        raise SystemExit(f"{harness.profile.name}: {record.outcome.kind} {record.outcome.reason}")
    messages = _messages(calls[-1])
    return Context(
        first=request_tokens(calls[0]),
        last=request_tokens(calls[-1]),
        reads=tuple(_reads(messages, build, harness)),
        notes="\n".join(message.text for message in messages),
    )


def _is_call(row: WireRow) -> bool:
    return row.kind == "main" and PROTOCOLS[row.protocol].is_generation(row.method, row.path)


def _messages(row: WireRow) -> tuple[Message, ...]:
    body = PROTOCOLS[row.protocol].read_request(row.request, 0)
    return body.messages if body else ()


def request_tokens(row: WireRow) -> int:
    """Tokens of all that a request gives the model: prompts, tools, messages."""
    body = orjson.loads(row.request)
    texts = [*_strings(body.get("system")), orjson.dumps(body.get("tools", [])).decode()]
    texts += _strings(body.get("systemInstruction", {}).get("parts"))
    items = (item for item in body.get("input", ()) if item.get("type") == "additional_tools")
    texts += [orjson.dumps(item["tools"]).decode() for item in items]
    for message in _messages(row):
        texts += [message.text, *map(_called, message.uses)]
        texts += [result.text for result in message.results]
    return sum(map(count_tokens, texts))


def _called(use: ToolUse) -> str:
    return f"{use.name} {orjson.dumps(use.arguments).decode()}"


def _strings(value: object) -> Iterator[str]:
    """The texts of a system prompt, which is one text or a list of blocks."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (block["text"] for block in value if "text" in block)


def _reads(messages: Iterable[Message], build: Build, harness: Harness) -> Iterator[Read]:
    uses: dict[str, ToolUse] = {}
    paths = {f"{INSIDE.corpus}/{path}": path for path in build.texts}
    for message in messages:
        uses |= {use.id: use for use in message.uses}
        for result in message.results:
            use = uses[result.id]
            named = [
                path
                for value in use.arguments.values()
                for place, path in paths.items()
                if place in str(value)  # alone, or in a command
            ]
            if use.name == harness.profile.hands.read_file.tool and named:
                yield Read(named[0], use, result.text)


def fitted(reads: Iterable[Read], build: Build) -> Law:
    """The least squares over all files, for what stands beside their text."""
    lines: list[int] = []
    added: list[int] = []
    called: list[int] = []
    for read in reads:
        text = build.texts[read.path]
        more = count_tokens(read.text) - count_tokens(text)
        if more < 0:
            continue  # it showed a part
        lines.append(len(split_lines(text)))
        added.append(more)
        called.append(count_tokens(_called(read.use)))
    slope, intercept = statistics.linear_regression(lines, added)
    return Law(slope, intercept + statistics.mean(called))


def law_of(laws: Sequence[Law]) -> Law:
    """The dearest of several corpora: what is said to be feasible must be so."""
    return Law(max(law.per_line for law in laws), max(law.per_read for law in laws))


def limits_of(context: Context, build: Build) -> dict[str, int]:
    """Which limits of one read were met, by the key of the table."""
    found: dict[str, int] = {}
    for read in context.reads:
        text = build.texts[read.path]
        lines = split_lines(text)
        came = list(NUMBERED.finditer(read.text))
        shown = [number for one in came if (number := int(one["n"])) <= len(lines)]
        if not came:
            whole = set(read.text.split("\n"))
            shown = [number for number, line in enumerate(lines, start=1) if line in whole]
        if read.path == WIDE:
            widest = max(lines, key=len)
            texts = [one["text"] for one in came] or read.text.split("\n")
            longest = max(_common(text, widest) for text in texts)
            if longest < len(widest):
                found["clip"] = longest
        elif 0 < len(shown) < len(lines):  # one that is refused whole is read in pages
            cap = CAP.search(context.notes)
            if read.path == MANY:
                found["read_lines"] = len(shown)
            elif cap and read.path == DENSE:
                found["read_tokens"] = int(cap["cap"])
                found["page_tokens"] = round(int(cap["counted"]) * len(shown) / len(lines))
            elif not cap:
                found["read_characters"] = sum(len(line) + 1 for line in lines[: len(shown)])
    return found


def _common(shown: str, line: str) -> int:
    """Characters of a line that a read showed, before what it wrote where it cut the line."""
    pairs = enumerate(zip(shown, line, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(shown), len(line)))


def long_papers(folder: Path) -> Build:
    """Files beyond what tools show: many lines, a wide line, much text, very much text."""
    papers = folder / "papers"
    papers.mkdir()
    words = [f"{chr(97 + n % 26)}word{n % 977}" for n in range(0, 70_000, 7)]
    rows = [" ".join(words[n : n + 30]) + "\n" for n in range(0, 9_000, 6)]
    (papers / MANY).write_text("before\n" + "".join(f"row {n}\n" for n in range(4_000)))
    (papers / WIDE).write_text("before\n" + " ".join(words[:1_000]) + "\nafter\n")
    (papers / DENSE).write_text("before\n" + "".join(rows[:750]))
    (papers / HUGE).write_text("before\n" + "".join(rows))
    path = folder / "long_papers.yaml"
    path.write_text(LIMITS_SPEC)
    return built(path, "small", folder)


def built(path: Path, size: Size, parent: Path) -> Build:
    """The build of a spec."""
    spec = load_spec(path, describe())
    order = BuildOrder(spec, path.parent, size, seed=None, placement=0, parent=parent)
    made = make_build(order)
    if isinstance(made, BuildFailure):
        raise SystemExit(made.message)
    return load_build(Path(made.path))


def measure(harness: Harness, builds: Sequence[Build], folder: Path) -> HarnessCost:
    """One harness, with a line printed for each build."""
    contexts = [run_oracle(build, harness, folder) for build in builds]
    prompts = [count_tokens(task_prompt(build, "direct", INSIDE.corpus)) for build in builds]
    laws = [fitted(one.reads, build) for one, build in zip(contexts, builds, strict=True)]
    fixed = max(one.first - prompt for one, prompt in zip(contexts, prompts, strict=True))
    law = law_of(laws)
    most = harness.profile.hands.most
    if most is None:
        papers = long_papers(folder)
        limits = limits_of(run_oracle(papers, harness, folder), papers)
    else:  # its reviewer reads no more at once
        limits = {"read_characters": most}
    cost = HarnessCost(
        name=harness.profile.name,
        version=harness.installed_version(),
        measured=datetime.now(UTC).date().isoformat(),
        vendors=VENDORS.get(harness.profile.name, ()),
        fixed_tokens=fixed,
        tokens_per_line=round(law.per_line, 2),
        tokens_per_read=round(law.per_read, 1),
        **limits,
    )
    print(f"{cost.name} {cost.version}: {fixed} tokens before the prompt, limits {limits}")
    for build, context, prompt, own in zip(builds, contexts, prompts, laws, strict=True):
        size = corpus_tokens({read.path: build.texts[read.path] for read in context.reads}, prompt)
        reading = full_reading(size, cost)
        expected = fixed + prompt + reading.tokens
        print(
            f"  {build.manifest.scenario:<16} {own.per_line:5.2f} a line {own.per_read:6.1f} a read"
            f" {reading.overhead:6.3f} x the corpus {expected / context.last:6.3f} of the wire"
        )
    return cost


def table_of(costs: Iterable[HarnessCost]) -> str:
    """The text of the table."""
    rows = []
    for cost in costs:
        values = cost.model_dump(exclude_none=True)
        if not cost.vendors:
            del values["vendors"]
        told = [f"{key}: {_told(value)}" for key, value in values.items()]
        rows.append("  - " + "\n    ".join(told) + "\n")
    return HEAD + "".join(rows)


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measures what reading costs by harness.")
    parser.add_argument("--write", action="store_true", help="rewrite the table")
    parser.add_argument("--tools", type=Path, default=Path(".tools"), help="installed CLIs")
    parser.add_argument("builds", nargs="*", type=Path, metavar="BUILD")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        builds = [load_build(path) for path in asked.builds] or [
            built(find_spec(name), "standard", Path(folder) / "builds") for name in shipped_specs()
        ]
        costs = []
        for name in sorted(HARNESSES):
            place = Path(folder) / name
            place.mkdir()
            costs.append(measure(make_harness(name, asked.tools), builds, place))
    if asked.write:
        TABLE.write_text(table_of(costs))


if __name__ == "__main__":
    main()
