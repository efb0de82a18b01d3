"""A time limit of our own around a call: one that goes on for ever ends as an error.

The SDKs limit the wait for the next byte. A server that sends a blank a minute never ends by that,
and neither does one that lets every attempt run into the limit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from generators.models.asking import ModelError

SECONDS = 300.0
"""Of one call with all that the SDK repeats of it, where nobody says otherwise."""

Result = TypeVar("Result")


def within(seconds: float, model: str, call: Coroutine[Any, Any, Result]) -> Result:
    """The result of a call. Raises ModelError where it takes longer.

    It runs in an event loop of its own; where one is running, ask from a thread.
    """
    return asyncio.run(_within(seconds, model, call))


async def _within(seconds: float, model: str, call: Coroutine[Any, Any, Result]) -> Result:
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError as error:
        raise ModelError(
            f"{model}: no answer within {seconds:g} seconds", unserved="no answer in time"
        ) from error
