"""What a polite request to end does to work in progress."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ended_by_signal() -> Iterator[None]:
    """A polite request to end is as Ctrl-C: agents are ended, and what they began is removed."""
    loop, work = asyncio.get_running_loop(), asyncio.current_task()
    asked = False

    def end() -> None:
        nonlocal asked
        asked = True
        if work is not None:
            work.cancel()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop.add_signal_handler(signal.SIGTERM, end)
    try:
        yield
    except asyncio.CancelledError as error:
        if asked:
            raise KeyboardInterrupt from error
        raise
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
