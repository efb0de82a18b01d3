"""Runs one command while connections to a loopback port are carried to a Unix socket.

    forward.py PORT SOCKET LIMITS [COMMAND...]

PORT is a number, or `fd:N` for a socket that already listens. LIMITS are `nofile=4096,nproc=512`,
or `-` for none; see getrlimit(2). `tell=N` among them names a descriptor to which the number of
processes that the command left behind is written. The command has no standard input. When it ends,
so does everything it started, and its exit code is passed on. Without a command, `ready` is printed
once connections are carried, until standard input ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import FrameType

CHUNK = 65536
NOT_FOUND = 127
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219}
"""Number of the system call keyctl(2)."""
KEYCTL_JOIN_SESSION_KEYRING = 1


def listener(where: str) -> socket.socket:
    """The socket on which clients connect."""
    if where.startswith("fd:"):
        return socket.socket(fileno=int(where.removeprefix("fd:")))
    return socket.create_server(("127.0.0.1", int(where)), backlog=128)


def accept(server: socket.socket, target: str) -> None:
    """Carry every connection, each in threads of its own."""
    while True:
        client, _ = server.accept()
        try:
            threading.Thread(target=carry, args=(client, target), daemon=True).start()
        except RuntimeError:  # no more processes may be started just now
            client.close()


def carry(client: socket.socket, target: str) -> None:
    """One connection, both ways, until both ends have said all."""
    upstream = socket.socket(socket.AF_UNIX)
    with client, upstream, contextlib.suppress(OSError, RuntimeError):
        upstream.connect(target)
        back = threading.Thread(target=pump, args=(upstream, client), daemon=True)
        back.start()
        pump(client, upstream)
        back.join()


def pump(source: socket.socket, sink: socket.socket) -> None:
    """One direction, and its end."""
    try:
        while data := source.recv(CHUNK):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        # One side is gone: let the other direction end too.
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def limit(limits: str) -> None:
    """Bound what the command and all it starts may take, as far as the system lets us."""
    with contextlib.suppress(ImportError):
        import resource  # a minimal interpreter has none

        for name, _, value in (part.partition("=") for part in limits.split(",")):
            kind = getattr(resource, f"RLIMIT_{name.upper()}", None)
            if kind is not None:
                most = resource.getrlimit(kind)[1]
                bound = int(value) if most == resource.RLIM_INFINITY else min(int(value), most)
                with contextlib.suppress(OSError, ValueError):
                    resource.setrlimit(kind, (bound, bound))


def adopt_orphans() -> None:
    """Become the parent of what the command leaves behind, and end with one's own parent."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes  # a minimal interpreter has none, and can do without

        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def forget_keys() -> None:
    """Leave the kernel's keyring of whoever started this: no namespace hides it."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes  # a minimal interpreter has none

        number = KEYCTL.get(os.uname().machine)
        if number is not None:
            ctypes.CDLL(None).syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def descendants(root: int, dead: bytes = b"") -> list[int]:
    """Every process below one, as the system tells now; without those in a state of `dead`."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name in brackets may hold anything; what follows the last bracket does not.
            state, parent = stat.read_bytes().rpartition(b")")[2].split()[:2]
            if state not in dead:
                children.setdefault(int(parent), []).append(int(stat.parent.name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def tell(limits: str) -> None:
    """Say how many processes are left behind, where somebody wants to know."""
    for name, _, value in (part.partition("=") for part in limits.split(",")):
        if name == "tell":
            with contextlib.suppress(OSError):
                os.write(int(value), b"%d\n" % len(descendants(os.getpid(), dead=b"ZX")))


def end_all() -> None:
    """Kill what is left, until nothing is."""
    while True:
        for pid in stand_still():
            signal_to(pid, signal.SIGKILL)
        try:
            os.wait()
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def stand_still() -> set[int]:
    """Every process below this one, stopped: what is killed one by one may start others faster."""
    found: set[int] = set()
    while new := set(descendants(os.getpid())) - found:
        for pid in new:
            signal_to(pid, signal.SIGSTOP)
        found |= new
    return found


def signal_to(pid: int, number: int) -> None:
    """Signal a process that may have ended."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def stop(number: int, _frame: FrameType | None) -> None:
    """Asked to end: unwind, and take everything along."""
    raise SystemExit(128 + number)


def given_environment() -> dict[bytes, bytes]:
    """The environment as it was given: the interpreter adds to its own at its start."""
    try:
        entries = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return dict(os.environb)
    parts = (entry.partition(b"=") for entry in entries if entry)
    return {name: value for name, _, value in parts}


def attend() -> int:
    """Be there for what others start and leave behind, and never looked into by any of them."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries them
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    return 0


def run(command: list[str]) -> int:
    """Run the command to its end. 128 + N where signal N ended it."""
    if not command:
        return attend()
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=given_environment())
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return NOT_FOUND
    code = child.wait()
    return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    """Listen, run, clean up."""
    where, target, limits, *command = arguments
    signal.signal(signal.SIGTERM, stop)
    adopt_orphans()
    forget_keys()
    limit(limits)
    server = listener(where)
    threading.Thread(target=accept, args=(server, target), daemon=True).start()
    try:
        code = run(command)
        tell(limits)
        return code
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_all()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
