r"""Regular expressions as a spec gives them, and the texts that their groups go into.

A pattern such as `(a|aa)+$` may need longer than the universe lasts. Prevents a build that never
ends: whoever matches a pattern of a spec does it `within_time`.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

from pydantic import AfterValidator, Field

from authoring.errors import UserError

SECONDS = 5.0
"""Of computing: the slowest pattern of a shipped scenario takes a thousandth of it."""
SHOWN = 60


def compiles(pattern: str) -> str:
    """The pattern. Raises ValueError where it is no regular expression."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError) as error:
        raise ValueError(f"is not a regular expression: {error}") from error
    except RecursionError as error:
        raise ValueError("is not a regular expression: it is nested too deep") from error
    return pattern


Pattern = Annotated[str, Field(min_length=1), AfterValidator(compiles)]
"""A regular expression, refused where the spec is read if it is none."""


def fills(replacement: str, pattern: str) -> str:
    r"""The replacement. Raises ValueError where it names a group that the pattern has not.

    It is tried on the empty text, which an empty alternative always matches; the line end before it
    ends a comment of the pattern.
    """
    tried = re.compile(f"{pattern}\n|").match("")
    try:
        if tried is not None:
            tried.expand(replacement)
    except (re.error, IndexError) as error:
        raise ValueError(f"is not valid: {error}") from error
    return replacement


def expanded(match: re.Match[str], replacement: str) -> str:
    r"""A replacement with `\1` and `\g<name>` filled in. Raises UserError where it is not valid."""
    try:
        return match.expand(replacement)
    except (re.error, IndexError) as error:
        raise UserError(f"the replacement is not valid: {error}") from error


def too_slow(what: str, given: str, seconds: float) -> UserError:
    """What is told of a pattern or a query that is not done in time."""
    shown = given if len(given) <= SHOWN else given[: SHOWN - 1] + "\u2026"
    return UserError(
        f"the {what} {shown!r} takes longer than {seconds:g} seconds",
        remedy="let it match in one way only: no repetition inside of a repetition",
    )


class _TimeIsUpError(Exception):
    """Raised by the clock, inside of a match."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


@contextmanager
def within_time(pattern: str, seconds: float | None = None) -> Iterator[None]:
    """What is done inside may compute so long, or `SECONDS`; after it, raises UserError.

    The clock counts the computing of this process, so that a busy machine makes no pattern slow. It
    is a signal, which only a main thread gets: in any other nothing is limited. Inside of another
    one the other's clock goes on, and whichever pattern it rings in is the one that is told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        try:
            yield
        except _TimeIsUpError as error:
            raise too_slow("pattern", pattern, error.seconds) from error
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _TimeIsUpError(most)

    most = SECONDS if seconds is None else seconds
    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, most)
    try:
        yield
    except _TimeIsUpError as error:
        raise too_slow("pattern", pattern, most) from error
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
