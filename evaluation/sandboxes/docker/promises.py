"""What this sandbox promises of every run, each with how it is kept or why it is not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from evaluation.sandboxes.deadline import HOME_LOOK
from evaluation.sandboxes.docker.engine import Engine
from evaluation.sandboxes.docker.outfit import BOUNDS
from evaluation.sandboxes.layout import LIMITS
from evaluation.sandboxes.promises import unseen
from evaluation.sandboxes.sandbox import HOME_BYTES, Promise

GIB = 1 << 30

SEALED: Mapping[str, str] = {
    "files": "the image's programs, the corpus, the home and temporary folders; no other file",
    "corpus": "mounted read-only, as is the root",
    "network": "none but a loopback port, which leads to the gateway",
    "environment": "what the harness sets, and nothing of the host's or the image's",
    "end": "every process dies with the first one of its container, which is killed and awaited",
}
"""What holds wherever the sandbox can be used at all."""
BOUNDED = ("user", "processes", "memory", "processors", "open files", "disk")


def promises_of(told: Engine | str) -> tuple[Promise, ...]:
    """All of them, by what the engine can bound; or by why it cannot be used at all."""
    if isinstance(told, str):
        names = (*SEALED, *BOUNDED)
        return tuple(Promise(name, holds=False, detail=told) for name in names)
    sealed = (Promise(name, holds=True, detail=detail) for name, detail in SEALED.items())
    return (*sealed, _user(told), *_bounds(told), *_disk())


def _user(engine: Engine) -> Promise:
    detail = "an ordinary user without capabilities, who can gain none"
    if not engine.filters_calls:
        detail += "; rare calls of the kernel are open to it: the engine has no seccomp"
    return Promise("user", holds=engine.filters_calls, detail=detail)


def _bounds(engine: Engine) -> Iterator[Promise]:
    memory = f"{BOUNDS.memory / GIB:g} GiB of all together, files in memory included"
    if engine.bounds_memory and not engine.bounds_swap:
        memory += "; what is swapped out is not counted"
    yield _bound("processes", f"{BOUNDS.processes} of all together", held=engine.bounds_processes)
    yield _bound("memory", memory, held=engine.bounds_memory)
    yield _bound("processors", f"{BOUNDS.processors:g} of all", held=engine.bounds_processors)


def _bound(name: str, detail: str, *, held: bool) -> Promise:
    why = "the Docker Engine says that this kernel's control groups cannot bound it"
    return Promise(name, holds=held, detail=detail if held else why)


def _disk() -> Iterator[Promise]:
    yield Promise("open files", holds=True, detail=f"{LIMITS['nofile']} of each process")
    home = f"{HOME_BYTES / GIB:g} GiB of the home, looked at every {HOME_LOOK:g} s"
    detail = f"{home}; {LIMITS['fsize'] / GIB:g} GiB a file; not seen: {unseen(root=is_root())}"
    yield Promise("disk", holds=True, detail=detail)


def is_root() -> bool:
    """Whether no folder of a home is closed to us."""
    return os.geteuid() == 0
