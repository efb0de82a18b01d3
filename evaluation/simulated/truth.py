"""`truth.json` (`ocb.truth/1`): what a simulated model asked for, and what came back.

Written by the model itself, from the requests it was sent, by plain search in order. It is what the
measurement is held against, so nothing here is shared with the code that measures.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value

Action = Literal["list", "read", "search", "delegate", "collect", "reshape", "write", "run"]
"""`reshape`: have a command print a file in another shape. `write`, `run`: a script of its own."""
Stance = Literal["claims", "silent", "admits"]


class Asked(Value):
    """What one tool call asked for."""

    action: Action
    path: str = ""
    first: int | None = None
    """None: the whole file."""
    count: int | None = None
    pattern: str = ""
    """What a search looked for."""


class Returned(Value):
    """Lines of one file that came back, as runs counted from 1, both ends in."""

    path: str
    ranges: tuple[tuple[int, int], ...]


class TruthCall(Value):
    """One tool call and its result."""

    turn: Annotated[int, Field(ge=1)]
    asked: Asked
    returned: tuple[Returned, ...]


class TruthThread(Value):
    """One thread as the model itself knows it."""

    thread: str
    """`main`, `sub-1`, `sub-2` … in the order of delegation."""
    prompt: str
    """What a sub-agent was told; empty for the main thread."""
    calls: tuple[TruthCall, ...]


class Truth(Value):
    """All that a simulated model knows of a run."""

    schema_: Annotated[Literal["ocb.truth/1"], Field(alias="schema")] = "ocb.truth/1"
    model: str
    seed: int
    threads: tuple[TruthThread, ...]
    stance: Stance
    reported: tuple[str, ...]
    """Ids of the needles its final response reports."""
    final: str
    """The final response as it gave it; empty where the run did not come to it."""
