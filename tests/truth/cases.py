"""What a scripted model does in a session, route by route, whatever the CLI calls its tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

READING = "reading"
"""The case that goes through every way of looking at files."""
ROOT = "/home/dev/review"
"""Where the corpus lies for every agent."""


@dataclass(frozen=True)
class Found:
    """Stands in arguments for what a request says: the last match of a pattern, its group 1."""

    pattern: re.Pattern[str]
    number: bool = False


@dataclass(frozen=True)
class Use:
    """One call of a tool."""

    tool: str
    arguments: Mapping[str, JsonValue | Found]


@dataclass(frozen=True)
class Turn:
    """One answer: calls with or without words, or the text that ends a thread."""

    text: str = ""
    uses: tuple[Use, ...] = ()


def call(*uses: Use, text: str = "") -> Turn:
    """An answer that calls tools."""
    return Turn(text, uses)


@dataclass(frozen=True)
class Route:
    """A way by which files reach a model, over files that no other route of the case shows."""

    name: str
    files: tuple[str, ...]
    turns: tuple[Turn, ...] = ()
    """What the main agent does for it."""
    lines: frozenset[int] | None = None
    """Those that are shown, of each file; None where the CLI decides how many."""
    reshaped: bool = False
    """Its lines are shown in another shape: none of them is surely read."""
    cut: bool = False
    """Only a part of each is shown, which has no token."""


@dataclass(frozen=True)
class Case:
    """One session, of one or several starts of the CLI."""

    name: str
    prompts: tuple[str, ...]
    """One start of the CLI for each; the later ones resume. Each bears its thread's mark."""
    threads: Mapping[str, tuple[Turn, ...]]
    """By the mark that stands in the prompt of the thread."""
    routes: tuple[Route, ...]
    parents: Mapping[str, str] = field(default_factory=dict)
    """Who started whom, by mark."""
    flags: tuple[tuple[str, ...], ...] = ()
    """More arguments for each start."""
    environment: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """More of the CLI's own settings."""

    notes: bool = False
    """Whether notes of the project lie in the corpus."""

    prints: bool = True
    """Whether what a start prints is a session."""

    @property
    def is_streamed(self) -> bool:
        """What it printed is the whole session."""
        return self.prints and len(self.prompts) == 1

    @property
    def shows_frames(self) -> bool:
        """A command in it prints a data frame."""
        return READING in self.threads

    @property
    def mains(self) -> frozenset[str]:
        """Marks of the main thread."""
        return frozenset(
            mark for mark in self.threads if any(marked(mark, p) for p in self.prompts)
        )


def marked(mark: str, text: str) -> bool:
    """Whether a text bears the mark of a thread."""
    return f": {mark}." in text


@dataclass(frozen=True)
class Tongue:
    """What one version of a CLI calls its tools."""

    read: Callable[[str], Use]
    """A whole file; paths are those inside."""
    part: Callable[[str, int, int], Use]
    """From a line on, so many."""
    command: Callable[[str], Use]
    delegate: Callable[[str, str], Use] | None = None
    """A sub-agent of a name, with a prompt."""
    collect: tuple[Turn, ...] = ()
    """What fetches its report, where the call that starts it does not give it."""
    nested: bool = False
    """Whether sub-agents have sub-agents."""


def inside(path: str) -> str:
    """A file of the corpus, as the agent names it."""
    return f"{ROOT}/{path}"


def lines(first: int, last: int) -> frozenset[int]:
    """Numbers of lines, both ends included."""
    return frozenset(range(first, last + 1))


def reading_routes(tongue: Tongue, frame: str) -> tuple[Route, ...]:
    """Every way of looking at files; `frame` is a command that prints a data frame."""

    def shown(path: str) -> Use:
        return tongue.read(inside(f"reads/{path}.txt"))

    def shell(name: str, command: str, *files: str, of: frozenset[int] | None = None) -> Route:
        paths = tuple(f"shell/{file}" for file in files)
        return Route(name, paths, (call(tongue.command(command)),), of)

    def reshaped(name: str, command: str, file: str) -> Route:
        return replace(shell(name, command, file), reshaped=True)

    beside = tuple(f"beside-{n}" for n in (1, 2, 3))
    return (
        Route("whole file", ("reads/whole.txt",), (call(shown("whole"), text="First."),)),
        Route(
            "offset and limit",
            ("reads/range.txt",),
            (call(tongue.part(inside("reads/range.txt"), 11, 20)),),
            lines(11, 30),
        ),
        Route(
            "past the end",
            ("reads/past.txt",),
            (call(tongue.part(inside("reads/past.txt"), 900, 5)),),
            frozenset(),
        ),
        Route("odd lines", ("reads/odd.txt",), (call(shown("odd")),)),
        Route("a line of 5,000 characters", ("reads/wide.txt",), (call(shown("wide")),)),
        Route("a file of 3,000 lines", ("reads/many.txt",), (call(shown("many")),)),
        Route(
            "parallel reads",
            tuple(f"reads/{one}.txt" for one in beside),
            (call(*map(shown, beside)),),
            lines(1, 12),
        ),
        shell("cat -n", "cat -n shell/cat-n.txt", "cat-n.txt", of=lines(1, 12)),
        shell("sed -n", "sed -n 5,9p shell/sed.txt", "sed.txt", of=lines(5, 9)),
        shell("nl -ba", "nl -ba shell/nl.txt", "nl.txt", of=lines(1, 12)),
        shell("head", "head -3 shell/head.txt", "head.txt", of=lines(1, 3)),
        shell("rg -n -C3", "rg -n -C3 'crate 6 ' shell/search.txt", "search.txt", of=lines(3, 9)),
        shell(
            "two files in one cat",
            "cat shell/left.txt shell/right.txt",
            *("left.txt", "right.txt"),
            of=lines(1, 12),
        ),
        shell("a wide line by cat", "cat shell/wide.txt", "wide.txt"),
        shell("3,000 lines by cat", "cat shell/many.txt", "many.txt"),
        reshaped("jq .", "jq . shell/parts.jsonl", "parts.jsonl"),
        replace(
            reshaped("cut, some columns", "cut -d, -f2-3 shell/cut-some.csv", "cut-some.csv"),
            cut=True,
        ),
        reshaped(
            "cut, all columns",
            "cut -d, -f1-4 --output-delimiter=' | ' shell/cut-all.csv",
            "cut-all.csv",
        ),
        reshaped("column -t", "column -s, -t shell/column.csv", "column.csv"),
        reshaped("a data frame", frame, "frame.csv"),
    )


def searched(use: Use) -> Route:
    """The CLI's own search, for the sixth line of each file of `turns`; some show more around."""
    return Route("search", _whole("turns", "first", "second", "third"), (call(use),))


def reading(tongue: Tongue, frame: str, *more: Route) -> Case:
    """One session that goes through every way."""
    routes = (*reading_routes(tongue, frame), *more)
    turns = (turn for route in routes for turn in route.turns)
    return Case(
        READING,
        ("Go over the stock lists: reading.",),
        {"reading": (*turns, Turn("The lists were looked at in part."))},
        routes,
    )


def _whole(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.txt" for name in names)


def agents(tongue: Tongue, *, name: str = "agents") -> Case:
    """Two sub-agents beside each other, one of them with one of its own where that can be.

    What a fork inherits it does not read again here: a plain search could not tell the two.
    """
    assert tongue.delegate is not None
    inner = (call(tongue.delegate("inner", "Look into one list: inner.")),) if tongue.nested else ()
    collect = tongue.collect
    again = () if name == "forked" else (call(tongue.read(inside("agents/own.txt"))),)
    threads = {
        "agents": (
            call(tongue.read(inside("agents/own.txt"))),
            call(
                tongue.delegate("outer", "Look into one list: outer."),
                tongue.delegate("other", "Look into one list: other."),
            ),
            *collect * 2,
            Turn("Others helped."),
        ),
        "outer": (
            call(tongue.part(inside("agents/outer.txt"), 1, 7)),
            *inner,
            *(collect if tongue.nested else ()),
            Turn("Seven crates were looked at."),
        ),
        "other": (
            call(tongue.read(inside("agents/other.txt"))),
            *again,
            Turn("It is in order."),
        ),
    }
    if tongue.nested:
        read = tongue.part(inside("agents/inner.txt"), 3, 8)
        threads["inner"] = (call(read), Turn("It is fine."))
    known = ("own", "outer", "other", *(("inner",) if tongue.nested else ()))
    kind = "nested sub-agents" if tongue.nested else "sub-agents"
    return Case(
        name,
        ("Go over the lists: agents.",),
        threads,
        (Route("forked sub-agents" if name == "forked" else kind, _whole("agents", *known)),),
        parents={
            "outer": "agents",
            "other": "agents",
            **({"inner": "outer"} if tongue.nested else {}),
        },
    )


def resumed(tongue: Tongue, *flags: tuple[str, ...]) -> Case:
    """A session that is gone on with, and then forked, by the flags of each start."""
    marks = ("first", "second", "third")[: len(flags)]
    return Case(
        "resumed",
        tuple(f"Go over one list: {mark}." for mark in marks),
        {
            mark: (call(tongue.read(inside(f"turns/{mark}.txt"))), Turn("It is fine."))
            for mark in marks
        },
        (Route("resume and fork" if len(marks) > 2 else "resume", _whole("turns", *marks)),),
        flags=flags,
    )


def compacted(
    tongue: Tongue,
    *,
    environment: Mapping[str, str] | None = None,
    settings: Mapping[str, JsonValue] | None = None,
    prompts: int = 1,
) -> Case:
    """A session that its CLI shortens on the way; with two prompts where it does so only then."""
    files = _whole("long", "one", "two", "three", "four", "five")
    reads = [call(tongue.read(inside(path))) for path in files]
    end = Turn("Done, as far as it went.")
    threads = {"before": (*reads[:3], end), "compaction": (*reads[3:], end)}
    if prompts == 1:
        threads = {"compaction": (*reads, end)}
    return Case(
        "compacted",
        tuple(f"Go on to the end: {mark}." for mark in threads),
        threads,
        (Route("compaction", files),),
        environment=environment or {},
        settings=settings or {},
    )


def deep(tongue: Tongue, main: Case) -> Case:
    """The same, of a sub-agent: by its own summary it is told from the agent that started it."""
    assert tongue.delegate is not None
    (route,) = main.routes
    own = inside("agents/own.txt")
    order = tongue.delegate("deep", "Go over long lists: deep.")
    return replace(
        main,
        name="deep",
        threads={
            "compaction": (call(tongue.read(own)), call(order), Turn("Another helped.")),
            "deep": main.threads["compaction"],
        },
        routes=(replace(route, files=(*route.files, "agents/own.txt")),),
        parents={"deep": "compaction"},
    )
