"""What the scripted model does in each case over a corpus of unique lines, version by version."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ROOT = "/home/dev/review"
CORPUS_SEED = 7


def corpus() -> dict[str, str]:
    """The files, by path. Each line bears a token of its own."""
    rng = random.Random(CORPUS_SEED)

    def token() -> str:
        return f"tk-{rng.getrandbits(40):010x}"

    def lines(count: int) -> str:
        return "".join(f"crate {n} holds 7 pieces {token()}\n" for n in range(1, count + 1))

    odd = [
        "1\tone",
        "     2→two",
        "  \tthree",
        "a.txt:4:four",
        "5-five",
        "six \u2028 \x0c nbsp\u00a0",
    ]
    return {
        "lists/a.txt": lines(30),
        "lists/b.txt": lines(60),
        "lists/odd.txt": "".join(f"{text} {token()}\n" for text in odd) + f"no end {token()}",
        "lists/long.txt": lines(2) + "of glass, " * 500 + token() + "\n" + lines(2),
        "lists/many.txt": "".join(f"{token()}\n" for _ in range(3000)),
        "lists/c.txt": lines(12),
        "lists/d.txt": lines(12),
        "lists/e.txt": lines(12),
        "lists/f.txt": lines(12),
    }


@dataclass(frozen=True)
class Use:
    """One call of a tool."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Turn:
    """One answer: calls, or the text that ends a thread."""

    text: str = ""
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True)
class Case:
    """One session."""

    name: str
    versions: tuple[str, ...]
    threads: Mapping[str, tuple[Turn, ...]]
    """By a mark that stands in the prompt of the thread; the main thread's stands in `prompts`."""
    prompts: tuple[str, ...]
    """One start of the CLI for each; the later ones resume."""
    flags: tuple[tuple[str, ...], ...] = ()
    """More arguments for each start."""
    environment: Mapping[str, str] = field(default_factory=dict)
    streamed: bool = False
    """Whether what the CLI printed is kept too."""


def read(path: str, **more: int) -> Use:
    """A call of Read."""
    return Use("Read", {"file_path": f"{ROOT}/lists/{path}", **more})


def bash(command: str, **more: Any) -> Use:
    """A call of Bash."""
    return Use("Bash", {"command": command, "description": "Look at the lists", **more})


def agent(tool: str, prompt: str, **more: Any) -> Use:
    """A call that starts a sub-agent."""
    arguments = {"description": "Check lists", "prompt": prompt, "subagent_type": "general-purpose"}
    return Use(tool, {**arguments, **more})


def call(*uses: Use, text: str = "") -> Turn:
    """An answer that calls tools."""
    return Turn(text, uses)


OLD, MIDDLE, NEW = "2.0.76", "2.1.197", "2.1.332"
EVERY = (OLD, MIDDLE, NEW)

READS = (
    call(read("a.txt"), text="Let me begin."),
    call(read("b.txt", offset=11, limit=20)),
    call(read("a.txt")),
    call(read("b.txt", offset=900, limit=5)),
    call(read("odd.txt"), read("none.txt"), read("c.txt")),
    call(read("long.txt")),
    Turn("Two files were read in full."),
)
SHELL = (
    call(bash("cat -n lists/a.txt | head -7")),
    call(bash("sed -n 5,9p lists/b.txt")),
    call(bash("nl -ba lists/c.txt")),
    call(bash("head -3 lists/d.txt; false")),
    call(bash("grep -n -C3 'crate 6 ' lists/e.txt")),
    call(bash("grep -n 'crate 1 ' lists/*.txt")),
    call(bash("cat lists/d.txt lists/f.txt")),
    call(bash("cd / && cat home/dev/review/lists/long.txt")),
    call(bash("cat lists/many.txt")),
    call(bash("cat lists/a.txt > /dev/null; wc -l lists/*.txt; echo nothing >&2; exit 3")),
    Turn("The lists were searched."),
)
NESTED = agent("Agent", "Look into c and d: inner.", run_in_background=False)
AGENTS = {
    "agents": (
        call(read("a.txt")),
        call(
            agent("Agent", "Look into b: outer.", run_in_background=False),
            agent("Agent", "Look into f: other.", run_in_background=False),
        ),
        Turn("Three helped."),
    ),
    "outer": (call(read("b.txt", limit=7)), call(NESTED), Turn("Of b: crate 1 holds 7 pieces.")),
    "other": (call(read("f.txt")), call(read("a.txt")), Turn("f is fine.")),
    "inner": (call(read("c.txt"), read("d.txt", offset=3)), Turn("c and d are fine.")),
}
TASKS = {
    "agents": (
        call(read("a.txt")),
        call(agent("Task", "Look into b: outer."), agent("Task", "Look into f: other.")),
        Turn("Two helped."),
    ),
    "outer": (call(read("b.txt", limit=7)), Turn("Of b: crate 1 holds 7 pieces.")),
    "other": AGENTS["other"],
}
LATER = {
    "later": (
        call(agent("Agent", "Look into e: behind.", run_in_background=True)),
        call(read("a.txt")),
        call(bash("sleep 1; head -2 lists/b.txt")),
        Turn("More to come."),
        Turn("All is done."),
    ),
    "behind": (call(read("e.txt")), call(bash("sleep 1")), Turn("e is fine.")),
}
GREP = (
    call(Use("Grep", {"pattern": "crate 6 ", "path": f"{ROOT}/lists", "output_mode": "content"})),
    call(
        Use(
            "Grep",
            {
                "pattern": "crate 6 ",
                "path": f"{ROOT}/lists/e.txt",
                "output_mode": "content",
                "-n": True,
                "-C": 2,
            },
        )
    ),
    call(
        Use(
            "Grep",
            {
                "pattern": "crate 1",
                "path": f"{ROOT}/lists",
                "output_mode": "content",
                "-n": True,
                "head_limit": 4,
            },
        )
    ),
    call(Use("Grep", {"pattern": "glass", "path": f"{ROOT}/lists"})),
    call(Use("Glob", {"pattern": "**/*.txt", "path": ROOT})),
    Turn("The lists were searched."),
)
EDITS = (
    call(read("c.txt")),
    call(
        Use(
            "Edit",
            {
                "file_path": f"{ROOT}/lists/c.txt",
                "old_string": "crate 6 holds 7",
                "new_string": "crate 6 holds 9",
            },
        )
    ),
    call(Use("Write", {"file_path": f"{ROOT}/lists/new.txt", "content": "one new line\n"})),
    call(bash("sed -i 's/crate 9 holds 7/crate 9 holds 5/' lists/c.txt")),
    call(bash("true")),
    call(read("c.txt", offset=9, limit=1)),
    Turn("One line was mended."),
)
COMPACTED = (
    call(read("a.txt")),
    call(read("b.txt"), text="On to the next."),
    call(bash("cat lists/many.txt | head -300")),
    call(read("many.txt", offset=1001, limit=300)),
    call(read("c.txt")),
    call(read("d.txt")),
    Turn("Done, as far as it went."),
)


CLIPPED = (
    call(read("many.txt")),
    call(bash("cat lists/many.txt")),
    call(Use("Read", {"file_path": "{saved}", "offset": 1201, "limit": 40})),
    Turn("The long one was seen in part."),
)


def small(percent: int) -> dict[str, str]:
    """A window so small that the session is compacted once."""
    return {
        "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": str(percent),
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000",
    }


CASES = (
    Case("reads", EVERY, {"reads": READS}, ("Go over the lists: reads.",)),
    Case("shell", EVERY, {"shell": SHELL}, ("Go over the lists: shell.",)),
    Case("agents", (MIDDLE, NEW), AGENTS, ("Go over the lists: agents.",), streamed=True),
    Case("agents", (OLD,), TASKS, ("Go over the lists: agents.",), streamed=True),
    Case("later", (MIDDLE, NEW), LATER, ("Go over the lists: later.",), streamed=True),
    Case(
        "clipped",
        (MIDDLE, NEW),
        {"clipped": CLIPPED},
        ("Go over the long list: clipped.",),
        environment={"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "3000"},
    ),
    Case("grep", (OLD,), {"grep": GREP}, ("Go over the lists: grep.",)),
    Case("edits", EVERY, {"edits": EDITS}, ("Go over the lists: edits.",)),
    Case("mention", EVERY, {"mention": (Turn("Seen."),)}, ("Look at @lists/d.txt: mention.",)),
    Case(
        "resumed",
        EVERY,
        {
            "first": (call(read("a.txt")), Turn("a is fine.")),
            "second": (call(read("c.txt")), Turn("c is fine.")),
            "third": (call(read("d.txt")), Turn("d is fine.")),
        },
        ("Go over a: first.", "Go over c: second.", "Go over d: third."),
        flags=((), (), ("--fork-session",)),
    ),
    *(
        Case(
            "compacted",
            (version,),
            {"compacted": COMPACTED},
            ("Go on: compacted.",),
            environment=small(percent),
            streamed=True,
        )
        for version, percent in ((OLD, 12), (MIDDLE, 33), (NEW, 24))
    ),
)
