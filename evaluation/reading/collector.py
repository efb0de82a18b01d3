"""Work that makes hundreds of thousands of values, and no circle among them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """While this is open no circle is looked for: again and again over all the values of a session,
    that costs a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                # All that was made counts as old, as if it had been looked through.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
