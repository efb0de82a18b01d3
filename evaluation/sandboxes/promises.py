"""What the sandbox of namespaces promises of a run, and how each is kept or why it is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evaluation.sandboxes.deadline import HOME_LOOK
from evaluation.sandboxes.layout import LIMITS, MEMORY_BYTES, PROCESSES, PROCESSORS
from evaluation.sandboxes.sandbox import HOME_BYTES, Promise
from evaluation.sandboxes.size import DEEPEST

GIB = 1 << 30

SEALED: Mapping[str, str] = {
    "files": "the system's programs, the corpus, the home and temporary folders; no other file",
    "corpus": "mounted read-only",
    "network": "an empty namespace with one loopback port, which leads to the gateway",
    "environment": "what the harness sets, and nothing of the host's",
    "user": "an ordinary user of the host, without capabilities and further namespaces",
    "end": "every process dies with the first one of its namespace, which is killed and awaited",
}
"""What holds wherever the sandbox can be used at all."""


def promises_of(
    fault: str | None, missing: Mapping[str, str], *, limited: bool, root: bool
) -> tuple[Promise, ...]:
    """All of them. `missing` says by controller why no group bounds it; `limited`, whether limits
    of a process can be set inside; `root`, whether ocb is root and no folder is closed to it."""
    if fault is not None:
        names = (*SEALED, "processes", "memory", "processors", "open files", "disk")
        return tuple(Promise(name, holds=False, detail=fault) for name in names)
    sealed = (Promise(name, holds=True, detail=detail) for name, detail in SEALED.items())
    return (*sealed, *_bounds(missing, limited=limited), _disk(limited=limited, root=root))


def _bounds(missing: Mapping[str, str], *, limited: bool) -> Iterator[Promise]:
    if "pids" not in missing:
        yield Promise("processes", holds=True, detail=f"{PROCESSES}, by a control group")
    elif limited:
        detail = f"{PROCESSES}, by a limit of their user; that it was reached cannot be told"
        yield Promise("processes", holds=True, detail=detail)
    else:
        yield Promise("processes", holds=False, detail=f"{missing['pids']}; {NO_LIMITS}")
    kept = {
        "memory": f"{MEMORY_BYTES / GIB:g} GiB of all together, by a control group",
        "cpu": f"{PROCESSORS:g} of all together, by a control group",
    }
    for controller, name in (("memory", "memory"), ("cpu", "processors")):
        why = missing.get(controller)
        yield Promise(name, holds=why is None, detail=why or kept[controller])
    detail = f"{LIMITS['nofile']} of each process" if limited else NO_LIMITS
    yield Promise("open files", holds=limited, detail=detail)


NO_LIMITS = "Python's module `resource` is missing inside"


def _disk(*, limited: bool, root: bool) -> Promise:
    file = (
        f"{LIMITS['fsize'] / GIB:g} GiB a file" if limited else f"a file of any size: {NO_LIMITS}"
    )
    detail = f"{HOME_BYTES / GIB:g} GiB of the home, looked at every {HOME_LOOK:g} s; {file}"
    return Promise("disk", holds=limited, detail=f"{detail}; not seen: {unseen(root=root)}")


def unseen(*, root: bool) -> str:
    """What a walk through the home does not see. Only root enters every folder."""
    hidden = f"deleted files that are still open, what lies more than {DEEPEST} folders deep"
    return hidden if root else f"{hidden}, folders that the agent closed to itself"
