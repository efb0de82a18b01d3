"""A container of one run: made, started, given one command, and removed whatever happens.

Its first process is the forwarder, and the command joins it afterwards. So the container is still
there when the command has ended: what it left behind and which bounds it reached can be looked up
from outside, where the agent cannot write.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from docker import APIClient
from docker.errors import DockerException, NotFound
from docker.types.daemon import CancellableStream
from docker.utils.socket import demux_adaptor, frames_iter

from authoring.errors import InfrastructureError
from evaluation.sandboxes.docker.engine import PATIENCE, connected, describe, failures
from evaluation.sandboxes.docker.outfit import LABEL, Outfit, creation
from evaluation.sandboxes.groups import Bounds, Group, Place, processes
from evaluation.sandboxes.scratch import maker_of

BURIAL = 10
"""Seconds that the system may take to bury what was killed."""
GROUPS = Path("/sys/fs/cgroup")
Frames: TypeAlias = "CancellableStream[tuple[bytes | None, bytes | None]]"
"""Pieces of stdout and stderr, in the order in which they came."""


class Container:
    """A container that was made."""

    def __init__(self, client: APIClient, identity: str, bounds: Bounds) -> None:
        self._client = client
        self._identity = identity
        self._bounds = bounds
        self._attached: Frames | None = None
        self._execution = ""
        self.code = -1
        """Of the command, once it has ended."""
        self._first = 0
        self._folders: tuple[Path, ...] = ()
        """Its control groups, where this machine shows them."""
        self._process: int | None = None
        """A descriptor of its first process: when it ends, all others are dead."""

    def start(self) -> None:
        """Start it, and wait until its forwarder carries connections."""
        with failures("cannot start a container"):
            self._attached = attach(self._client, self._identity)
            self._client.start(self._identity)
            await_ready(self._attached)
            self._first = self._client.inspect_container(self._identity)["State"]["Pid"]
        self._folders = group_folders(self._first, self._identity)
        if self._folders:  # else the engine counts processes otherwise than we do
            with contextlib.suppress(OSError):
                self._process = os.pidfd_open(self._first)

    def execute(self, argv: tuple[str, ...], environment: Mapping[str, str]) -> Frames:
        """Start the command in it, with this environment and no more."""
        given = (f"{name}={value}" for name, value in environment.items())
        with failures("cannot start the command"):
            made = self._client.exec_create(self._identity, ["/usr/bin/env", "-i", *given, *argv])
            self._execution = made["Id"]
            return self._client.exec_start(self._execution, stream=True, demux=True)

    def has_ended(self) -> bool:
        """Whether the command is over; then its exit code is known."""
        with failures("was lost during the run"):
            told = self._client.exec_inspect(self._execution)
        if told["Running"]:
            return False
        self.code = int(told["ExitCode"])
        return True

    def left_behind(self) -> tuple[str, ...]:
        """How many processes a command that has ended left behind, in words for a reader."""
        left = members(self._folders) - {self._first} if self._lives() else ()
        return (f"left {processes(len(left))} behind",) if left else ()

    def reached(self) -> tuple[str, ...]:
        """Bounds that were reached, in words for a reader."""
        if not self._lives():
            return self._last_reached()
        places = [(Place(folder, 0, ()), folder) for folder in self._folders]
        return Group(self._bounds, _members=places).marks()

    def _lives(self) -> bool:
        """Whether its first process is known to be there: its groups are, as long as it is."""
        return self._process is not None and not select.select([self._process], [], [], 0)[0]

    def _last_reached(self) -> tuple[str, ...]:
        """What the engine tells where the groups cannot be seen, or may be gone: memory that was
        used up may also end the first process."""
        with failures("was lost during the run"):
            if self._process is not None:
                self._client.wait(self._identity, timeout=BURIAL)
            state = self._client.inspect_container(self._identity)["State"]
        memory = f"ran out of its {self._bounds.memory / (1 << 30):g} GiB of memory"
        return (memory,) if state["OOMKilled"] else ()

    def remove(self) -> None:
        """End all that is in it, and remove it. Does not need the engine to end it."""
        buried = self._bury()
        try:
            if self._attached is not None:
                close(self._attached)
            self._client.remove_container(self._identity, v=True, force=True)
        except NotFound:
            return
        except (DockerException, OSError) as error:
            if not buried:
                raise InfrastructureError(f"a container cannot be ended: {error}") from error

    def _bury(self) -> bool:
        if self._process is None:
            return False
        descriptor, self._process = self._process, None
        try:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            return bool(select.select([descriptor], [], [], BURIAL)[0])
        except OSError:
            return False  # it is not ours to kill
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def started(environment: Mapping[str, str], outfit: Outfit) -> Iterator[Container]:
    """A container that is ready for its command; gone afterwards, with all that ran in it.

    Raises InfrastructureError where the engine refuses.
    """
    with connected(environment) as client:
        with failures("cannot make a container"):
            made = client.create_container(**creation(client, describe(client), outfit))
        container = Container(client, made["Id"], outfit.bounds)
        try:
            container.start()
            yield container
        finally:
            container.remove()


def remove_leftover_containers(environment: Mapping[str, str] = os.environ) -> int:
    """Remove the containers of our own whose process is dead. Says how many are gone."""
    removed = 0
    with contextlib.suppress(InfrastructureError), connected(environment) as client:
        for row in containers(client):
            maker = maker_of(row["Labels"][LABEL])
            if maker is not None and maker.is_dead():
                with failures("does not remove a container"):
                    client.remove_container(row["Id"], v=True, force=True)
                removed += 1
    return removed


def containers(client: APIClient) -> list[dict[str, Any]]:
    """All containers of ours, running or not, as the engine tells of them."""
    with failures("cannot say which containers it has"):
        rows: list[dict[str, Any]] = client.containers(all=True, filters={"label": LABEL})
    return rows


def attach(client: APIClient, identity: str) -> Frames:
    """Hold on to a container's first process: its input lasts as long as this."""
    params = dict.fromkeys(("stdin", "stdout", "stderr", "stream"), 1)
    raw = client.attach_socket(identity, params=params)
    parts = frames_iter(raw, tty=False)  # type: ignore[no-untyped-call]  # its stubs say nothing
    frames = (demux_adaptor(*part) for part in parts)
    return CancellableStream(frames, raw._response)


def await_ready(frames: Frames) -> None:
    """Read until the forwarder says that it is ready. Raises InfrastructureError otherwise."""
    watch = threading.Timer(PATIENCE, close, (frames,))  # reading alone waits for ever
    watch.daemon = True
    watch.start()
    said = b""
    try:
        for out, err in frames:
            if out:
                return
            said += err or b""
    finally:
        watch.cancel()
    raise InfrastructureError(f"a container ends at once: {as_line(said)}")


def close(frames: Frames) -> None:
    """End a stream, whoever is reading it."""
    with contextlib.suppress(OSError):  # the other end is gone
        frames.close()
    frames._response.close()  # type: ignore[attr-defined]  # the SDK leaves its connection open


def group_folders(pid: int, name: str) -> tuple[Path, ...]:
    """Where this machine shows the control groups of a process, by the name of its container."""
    folders = []
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            folders += [GROUPS / one / path.lstrip("/") for one in controllers.split(",")]
    return tuple(folder for folder in folders if name in folder.name and folder.is_dir())


def members(folders: tuple[Path, ...]) -> set[int]:
    """Processes in control groups, without those that are dead and not yet buried."""
    found: set[int] = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            found |= {int(line) for line in (folder / "cgroup.procs").read_text().split()}
    return {pid for pid in found if is_alive(pid)}


def is_alive(pid: int) -> bool:
    """Whether a process of this machine still runs."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")


def as_line(said: bytes) -> str:
    """What a program said, on one line, printable whatever it holds."""
    text = said.decode(errors="replace")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
