"""Sessions of Claude Code beyond what all CLIs have: attached files, edits, kept outputs, forks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from tests.truth.cases import Case, Found, Route, Tongue, Turn, Use, call, inside

SAVED = re.compile(r'Full output saved to: ([^\\\s"]+)')
"""Where the CLI kept an output of which it showed a part."""
COPY = "/home/dev/copy"


def mentioned() -> Case:
    """The user names a file, and the CLI attaches it."""
    return Case(
        "mention",
        ("Look at @turns/first.txt: mention.",),
        {"mention": (Turn("Seen."),)},
        (Route("a file named with @", ("turns/first.txt",)),),
    )


def edited(tongue: Tongue) -> Case:
    """A file changes under the agent's hands, and by a command. The corpus is closed to it, so it
    works on a copy."""
    path = f"{COPY}/turns/first.txt"
    change: Mapping[str, JsonValue] = {
        "file_path": path,
        "old_string": "crate 6 holds 7",
        "new_string": "crate 6 holds 9",
    }
    turns = (
        call(tongue.command(f"cp -r . {COPY} && chmod -R u+w {COPY}")),
        call(tongue.read(path)),
        call(Use("Edit", change)),
        call(Use("Write", {"file_path": f"{COPY}/new.txt", "content": "one new line\n"})),
        call(tongue.command(f"sed -i 's/crate 9 holds 7/crate 9 holds 5/' {path}")),
        call(tongue.command("true")),
        call(tongue.part(path, 9, 1)),
        Turn("One line was mended."),
    )
    return Case(
        "edits",
        ("Mend the list: edits.",),
        {"edits": turns},
        (Route("a file that changes", ("turns/first.txt",)),),
    )


def clipped(tongue: Tongue) -> Case:
    """A view that the CLI makes partial, and an output that it keeps, read later on."""
    kept = Use("Read", {"file_path": Found(SAVED), "offset": 1201, "limit": 40})
    partial = call(tongue.read(inside("reads/many.txt")))
    return Case(
        "clipped",
        ("Go over the long lists: clipped.",),
        {
            "clipped": (
                partial,
                call(tongue.command("cat shell/many.txt")),
                call(kept),
                Turn("The long ones were seen in part."),
            )
        },
        (
            Route("a partial view", ("reads/many.txt",)),
            Route("an output that is kept", ("shell/many.txt",)),
        ),
        environment={"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "3000"},
    )


def searched() -> Case:
    """The search tool of the old versions."""

    def grep(file: str, pattern: str, **more: JsonValue) -> Turn:
        arguments = {"pattern": pattern, "path": inside(file), "output_mode": "content"}
        return call(Use("Grep", {**arguments, **more}))

    return Case(
        "grep",
        ("Search the lists: grep.",),
        {
            "grep": (
                grep("turns", "crate 6 "),
                grep("shell/search.txt", "crate 6 ", **{"-n": True, "-C": 2}),
                grep("agents", "crate 1", **{"-n": True, "head_limit": 4}),
                call(Use("Grep", {"pattern": "glass", "path": inside("shell")})),
                call(Use("Glob", {"pattern": "**/*.txt", "path": inside("")})),
                Turn("The lists were searched."),
            )
        },
        (
            Route("search", tuple(f"turns/{one}.txt" for one in ("first", "second", "third"))),
            Route("search with lines around", ("shell/search.txt",)),
            Route(
                "search with a limit",
                tuple(f"agents/{one}.txt" for one in ("own", "outer", "inner", "other", "late")),
            ),
        ),
    )


def later(tongue: Tongue) -> Case:
    """A sub-agent that works in the background, and reports when it is done."""
    assert tongue.delegate is not None
    order = tongue.delegate("behind", "Look into one list: behind.")
    behind = replace(order, arguments={**order.arguments, "run_in_background": True})
    return Case(
        "later",
        ("Go over the lists: later.",),
        {
            "later": (
                call(behind),
                call(tongue.read(inside("agents/own.txt"))),
                call(tongue.command("sleep 1; head -2 agents/other.txt")),
                Turn("More to come."),
                Turn("All is done."),
            ),
            "behind": (
                call(tongue.read(inside("agents/late.txt"))),
                call(tongue.command("sleep 1")),
                Turn("It is fine."),
            ),
        },
        (
            Route(
                "a sub-agent in the background",
                tuple(f"agents/{one}.txt" for one in ("own", "other", "late")),
            ),
        ),
        parents={"behind": "later"},
    )


def forked(tongue: Tongue) -> Case:
    """A sub-agent that begins with what its parent has read."""
    assert tongue.delegate is not None
    order = tongue.delegate("copy", "Look into one list: copy.")
    arguments = {**order.arguments, "subagent_type": "fork"}
    arguments.pop("run_in_background")
    return Case(
        "forked",
        ("Go over the lists: forked.",),
        {
            "forked": (
                call(tongue.read(inside("agents/own.txt"))),
                call(tongue.part(inside("agents/other.txt"), 1, 5)),
                call(Use(order.tool, arguments)),
                call(tongue.read(inside("agents/inner.txt"))),
                Turn("One helped."),
                Turn("All is done."),
            ),
            "copy": (call(tongue.part(inside("agents/outer.txt"), 1, 7)), Turn("It is fine.")),
        },
        (
            Route(
                "a forked sub-agent",
                tuple(f"agents/{one}.txt" for one in ("own", "other", "inner", "outer")),
            ),
        ),
        parents={"copy": "forked"},
        environment={"CLAUDE_CODE_FORK_SUBAGENT": "1"},
    )
