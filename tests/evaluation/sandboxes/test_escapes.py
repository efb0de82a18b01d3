"""What an agent inside bubblewrap might try. Nothing of it works, and what is known is marked."""

from __future__ import annotations

import asyncio
import ctypes
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from evaluation.agents.session_files import copy_files
from evaluation.sandboxes.bubblewrap import Bubblewrap, agent_owner
from evaluation.sandboxes.groups import Bounds, make_group
from evaluation.sandboxes.sandbox import Exit
from evaluation.sandboxes.scratch import remove_leftovers
from evaluation.sandboxes.trees import remove_tree
from evaluation.sweep.deliverables import keep_deliverables
from tests.evaluation.sandboxes.bench import (
    ASK_UNTIL_ANSWERED,
    Alive,
    Bench,
    Ran,
    bash,
    own_address,
    sh,
)

PYTHON = ("/usr/bin/python3", "-c")
MIB = 1 << 20

READ_ALL = """
env; set
for p in /proc/[0-9]* /proc/self/task/[0-9]*; do
  cat $p/environ $p/cmdline $p/auxv; ls -l $p/fd
  for f in $p/fd/[0-9]*; do
    case $(readlink $f) in *memfd*|/*) timeout 2 head -c 100000 $f;; esac
  done
done
find / -xdev -type f -size -64k -not -path '/usr/*' -not -path '/proc/*' -exec cat {} +
"""


def test_no_key_of_the_operator_is_anywhere(
    bench: Bench, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = f"sk-canary-{uuid4().hex}"
    monkeypatch.setenv("ANTHROPIC_API_KEY", canary)
    (bench.root / "key").write_text(canary)
    ran = bench.run(bubblewrap, *sh(READ_ALL))
    assert b"def main" in ran.stdout  # the forwarder: files and descriptors were read
    assert canary.encode() not in ran.stdout + ran.stderr


FIND_KEY = "import ctypes; print(ctypes.CDLL(None).syscall({}, 10, -3, b'user', b'token', 0))"
"""Searches the session's keyring of the kernel."""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of system calls")
def test_a_key_in_the_kernels_keyring_is_not_found(bench: Bench, bubblewrap: Bubblewrap) -> None:
    keyctl, add_key = 250, 248
    call = ctypes.CDLL(None).syscall
    call(keyctl, 1, None)  # a keyring of our own, for this process and all it starts
    assert call(add_key, b"user", b"token", b"canary", 6, -3) > 0
    find = FIND_KEY.format(keyctl)
    outside = subprocess.run([sys.executable, "-c", find], capture_output=True, check=True)
    assert int(outside.stdout) > 0
    assert bench.run(bubblewrap, *PYTHON, find).text == "-1\n"


def test_another_run_is_not_there(bench: Bench, bubblewrap: Bubblewrap) -> None:
    """Not its home, its gateway, its processes; it lasts while this one looks."""
    secret = f"secret-{uuid4().hex}"
    look = "ls /run; find / -name 'secret-*'; cat /proc/[0-9]*/cmdline /proc/net/unix"
    over = asyncio.Event()

    async def both(other: Bench) -> Ran:
        begun = asyncio.Event()
        bench.on_greeting, bench.may_answer = begun.set, over.is_set
        script = f"open('/home/dev/{secret}', 'w')\n{ASK_UNTIL_ANSWERED}"
        first = asyncio.create_task(bench.run_in_loop(bubblewrap, *PYTHON, script))
        await begun.wait()
        ran = await other.run_in_loop(bubblewrap, *sh(look))
        over.set()
        assert (await first).exit.code == 0
        return ran

    with tempfile.TemporaryDirectory(prefix="ocb-") as folder:
        ran = asyncio.run(both(type(bench)(Path(folder))))
    assert ran.text.startswith("proxy.sock\n")
    assert secret not in ran.text
    assert str(bench.socket) not in ran.text
    assert (bench.home / secret).exists()


# Reaching anything but the gateway.


REACH = """
import socket, sys
def attempt(name, act):
    try:
        act()
    except OSError as error:
        print(name, error.strerror or error, file=sys.stderr)
    else:
        print(name)
def connect(kind, *address):
    with socket.socket(kind, socket.SOCK_STREAM) as there:
        there.settimeout(3)
        there.connect(*address)
def send(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
        there.sendto(b"hello", address)
def own(kind, type, protocol=0):
    socket.socket(kind, type, protocol).close()
attempt("loopback", lambda: connect(socket.AF_INET, ("127.0.0.1", {port})))
attempt("loopback 6", lambda: connect(socket.AF_INET6, ("::1", {port})))
attempt("any", lambda: connect(socket.AF_INET, ("0.0.0.0", {port})))
attempt("own address", lambda: connect(socket.AF_INET, ({address!r}, {port})))
attempt("private", lambda: connect(socket.AF_INET, ("10.0.0.1", 80)))
attempt("metadata", lambda: connect(socket.AF_INET, ("169.254.169.254", 80)))
attempt("abstract", lambda: connect(socket.AF_UNIX, {abstract!r}))
attempt("file", lambda: connect(socket.AF_UNIX, {path!r}))
attempt("datagram", lambda: send(("192.0.2.1", 53)))
attempt("names", lambda: socket.getaddrinfo("example.org", 80))
attempt("raw", lambda: own(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt("packet", lambda: own(socket.AF_PACKET, socket.SOCK_RAW))
connect(socket.AF_INET, ("127.0.0.1", 8080))
print("gateway")
"""


def test_nothing_but_the_gateway_is_reached(bench: Bench, bubblewrap: Bubblewrap) -> None:
    abstract = f"\0{uuid4().hex}"
    path = str(bench.root / "other.sock")
    with (
        socket.create_server(("", 0)) as server,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as nameless,
    ):
        named.bind(path)
        nameless.bind(abstract)
        for listening in (named, nameless):
            listening.listen()
        port = server.getsockname()[1]
        script = REACH.format(port=port, address=own_address(), abstract=abstract, path=path)
        ran = bench.run(bubblewrap, *PYTHON, script)
    assert ran.text == "gateway\n"
    assert len(ran.stderr.splitlines()) == 12


# Writing what is not its own, and getting out.


@pytest.mark.parametrize(
    "attempt",
    [
        "unshare --mount true",
        "unshare --user --map-root-user true",
        "unshare --net true",
        "mount -t tmpfs none /tmp",
        "mount -o remount,rw /home/dev/review",
        "mount -o remount,rw /",
        "mount --bind /home/dev /home/dev/review",
        "umount /home/dev/review",
        "umount -l /usr",
        "chroot / true",
        "nsenter --target 1 --mount true",
        "mknod /home/dev/disk b 254 0",
        "mknod /home/dev/memory c 1 1",
        "chown 0:0 /home/dev",
        "echo x > /proc/1/root/home/dev/review/a.txt",
        "echo x > /proc/self/cwd/a.txt",
        "cd /home/dev && ln -s review/a.txt l && echo x > l",
        "ln /home/dev/review/a.txt /home/dev/hard",
        "ln /opt/reader/tool /home/dev/hard",
        "echo x > /opt/reader/tool",
        "rm /opt/reader/tool",
        "echo x > /proc/sys/kernel/hostname",
        "echo 1 > /proc/sysrq-trigger",
        "date --set 2001-01-01",
        "cat /proc/kcore /dev/mem /dev/kmsg",
        "dmesg",
        "ls /sys/fs/cgroup/*",
        "find / -xdev -perm -4000 -user 0 -exec {} --help ';' 2>/dev/null | grep -q uid=0",
        "setpriv --reuid 0 true",
        "su -c true",
        "renice -n -5 $$",
    ],
)
def test_mounts_devices_and_rights_are_out_of_reach(
    attempt: str, bench: Bench, bubblewrap: Bubblewrap
) -> None:
    ran = bench.run(bubblewrap, *sh(f"{attempt} || exit 99"))
    assert ran.exit.code == 99
    found = {path.name: path.read_text() for path in bench.corpus.rglob("*.txt")}
    assert found == {"a.txt": "first\nsecond\n", "b.txt": "third\n"}
    assert (bench.root / "tools" / "reader-1.0" / "tool").read_text().endswith("echo program\n")


# Outliving the run, and harming what is outside of it.


def user() -> dict[str, Any]:
    """As whom a process of the host is started to be of the agent's own user."""
    owner = agent_owner()
    return {"user": owner.uid, "group": owner.gid, "extra_groups": []} if owner else {}


def test_a_signal_to_everybody_reaches_nobody_outside(bench: Bench, bubblewrap: Bubblewrap) -> None:
    with subprocess.Popen(["/bin/sleep", "3600"], **user()) as outside:
        ran = bench.run(bubblewrap, *bash("kill -9 -1; kill -9 1; sleep 1; kill -9 0"))
        assert ran.exit.code == 137
        assert outside.poll() is None
        outside.kill()


STAY = "import os, time\nif os.fork() == 0:\n  {}\n  time.sleep(3600)\n{}\nos._exit(4)"


@pytest.mark.parametrize(
    ("script", "marks"),
    [
        pytest.param(STAY.format("", ""), ("left 1 process behind",), id="a child"),
        pytest.param(
            STAY.format("", "if os.fork() == 0:\n  time.sleep(3600)"),
            ("left 2 processes behind",),
            id="two",
        ),
        pytest.param(
            STAY.format("os._exit(0)", "os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)"),
            (),
            id="one that is dead and not buried",
        ),
        pytest.param("import os; os._exit(4)", (), id="none"),
    ],
)
def test_what_was_left_behind_is_marked(
    script: str, marks: tuple[str, ...], bench: Bench, bubblewrap: Bubblewrap
) -> None:
    ran = bench.run(bubblewrap, *PYTHON, script)
    assert ran.exit == Exit(4, "ended", ran.exit.seconds, marks)


BOMB = "b() { b | b & }; b; sleep 0.5; (exec 3<>/dev/tcp/127.0.0.1/8080); "


@pytest.mark.parametrize(
    ("then", "seconds", "how"),
    [("exit 0", 60, "ended"), ("sleep 3600", 2, "timed out")],
    ids=["whose maker ends", "whose maker stays"],
)
def test_a_fork_bomb_ends_with_the_run_and_starves_nobody(
    then: str, seconds: float, how: str, bench: Bench, bubblewrap: Bubblewrap, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    outside: list[int] = []

    def start_one() -> None:
        outside.append(subprocess.run(["/bin/true"], check=False, **user()).returncode)

    bench.on_greeting = start_one
    ran = bench.run(bubblewrap, "/bin/bash", "-c", BOMB + then, marker, seconds=seconds)
    assert ran.exit.how == how
    assert ran.exit.seconds < seconds + 15
    assert alive(marker) == []
    assert set(outside) <= {0}
    if "pids" in bounded():
        assert "reached the limit of 1024 processes" in ran.exit.marks


def bounded() -> frozenset[str]:
    """What groups bound on this machine."""
    with make_group(Bounds(1 << 30, 100, 1.0)) as group:
        return group.bounded


def test_memory_that_is_used_up_ends_the_taker_and_is_marked(
    bench: Bench, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "memory" not in bounded():
        pytest.skip("no control group bounds memory here")
    bounds = Bounds(128 * MIB, 100, 1.0)
    monkeypatch.setattr("evaluation.sandboxes.bubblewrap.BOUNDS", bounds)
    ran = bench.run(bubblewrap, *bash("head -c 300M /dev/zero | tail > /dev/null; echo after"))
    assert (ran.text, ran.exit.how) == ("after\n", "ended")
    assert ran.exit.marks == ("ran out of its 0.125 GiB of memory: 1 process killed",)


FILL = {
    "large files": "i=0; while :; do head -c 8M /dev/zero > ~/$i; i=$((i+1)); done",
    "small files": "mkdir ~/d; cd ~/d; i=0; while :; do : > $i; i=$((i+1)); done",
}


@pytest.mark.parametrize("what", ["large files", "small files"])
def test_a_home_that_is_filled_ends_the_run(
    what: str, bench: Bench, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.sandboxes.deadline.HOME_LOOK", 0.2)
    most = {"large files": 32 * MIB, "small files": MIB}[what]
    ran = bench.run(bubblewrap, *bash(FILL[what]), home_bytes=most)
    assert (ran.exit.code, ran.exit.how) == (137, "filled")


# Traps for whoever looks through the home afterwards.


def trapped(bench: Bench, bubblewrap: Bubblewrap, script: str) -> dict[str, str]:
    """What is kept of a home that an agent left so: deliverables, and a session."""
    ran = bench.run(bubblewrap, *bash(f"cd; {script}"))
    assert ran.exit.how == "ended"
    kept = bench.root / "kept"
    kept.mkdir()
    keep_deliverables(bench.home, kept)
    copy_files(bench.home, Path(".cli", "sessions"), kept / "sessions")
    assert all(
        stat.S_IFMT(path.lstat().st_mode) in (stat.S_IFREG, stat.S_IFDIR)
        for path in kept.rglob("*")
    )
    return {str(p.relative_to(kept)): p.read_text() for p in kept.rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    ("script", "kept"),
    [
        pytest.param(
            "ln -s {secret} report.md; ln -s {folder} notes; echo own > own.md",
            {"own.md": "own\n"},
            id="links",
        ),
        pytest.param("ln -s {folder} .cli", {}, id="a link in the way of the session"),
        pytest.param(
            "mkdir .cli; ln -s {folder} .cli/sessions; ln -s . loop", {}, id="a session that is one"
        ),
        pytest.param(
            "mkdir -p .cli/sessions/a; echo 1 > .cli/sessions/s; ln -s {secret} .cli/sessions/t;"
            "ln -s {folder} .cli/sessions/a/b; mkfifo .cli/sessions/p",
            {"sessions/s": "1\n"},
            id="links and pipes in it",
        ),
        pytest.param(
            "mkfifo pipe; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"s\")';"
            "echo own > own.md",
            {"own.md": "own\n"},
            id="a pipe and a socket",
        ),
        pytest.param(
            "mkdir closed; echo own > closed/own.md; chmod 0 closed/own.md closed",
            None,
            id="closed",
        ),
        pytest.param("echo own > own.md; chmod 0 .", None, id="the home itself closed"),
        pytest.param(
            "n=$(printf 'x%.0s' $(seq 255)); mkdir -p $n/$n/$n; echo own > $n/$n/$n/$n;"
            "echo two > $'a\\nb\\x1b[31m\\xff.md'",
            None,
            id="long and odd names",
        ),
        pytest.param("truncate -s 900M hole.md; echo own > own.md", {"own.md": "own\n"}, id="hole"),
        pytest.param("rm -rf .settings; rmdir ~; mv ~ /tmp/h; true", {}, id="no home"),
    ],
)
def test_a_home_full_of_traps_gives_nothing_of_the_hosts(
    script: str, kept: dict[str, str] | None, bench: Bench, bubblewrap: Bubblewrap
) -> None:
    folder = bench.root / "outside"
    (folder / "sessions").mkdir(parents=True)
    for secret in (folder / "secret", folder / "sessions" / "secret"):
        secret.write_text("secret of the host")
    script = script.replace("{secret}", str(folder / "secret")).replace("{folder}", str(folder))
    try:
        found = trapped(bench, bubblewrap, script)
        assert kept is None or found == kept
        assert "secret" not in str(found)
        owners = {path.lstat().st_uid for path in bench.home.rglob("*")}
        assert owners <= {os.getuid()}
    finally:
        assert remove_tree(bench.home) == 0


# What a killed ocb leaves.


KILLED = """
import asyncio, sys
from pathlib import Path
from evaluation.sandboxes.bubblewrap import Bubblewrap
from evaluation.sandboxes.sandbox import Command

home, corpus, socket, out, marker = sys.argv[1:]
asyncio.run(Bubblewrap().run(Command(
    ("/bin/sh", "-c", "echo begun; sleep 3600 & setsid sleep 3600; :", marker), {},
    Path(home), Path(corpus), Path(socket), (), Path(out), Path(out + ".error"), 60,
)))
"""


def test_what_a_killed_ocb_leaves_is_dead_and_removed_by_the_next(
    bench: Bench, bubblewrap: Bubblewrap, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    out = bench.root / "stdout"
    os.mkfifo(out)
    with socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(bench.socket))
        paths = map(str, (bench.home, bench.corpus, bench.socket, out))
        killed = subprocess.Popen([sys.executable, "-c", KILLED, *paths, marker])
        with out.open("rb") as told:
            assert told.readline() == b"begun\n"
            inside = [os.pidfd_open(pid) for pid in alive(marker) if pid != killed.pid]
            assert inside
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        for process in inside:
            assert select.select([process], [], [], 60)[0]  # it is dead
            os.close(process)
    assert alive(marker) == []
    left = scratch_of(killed.pid)
    assert left
    remove_leftovers()
    with make_group(Bounds(1 << 30, 100, 1.0)):
        assert scratch_of(killed.pid) == []


def scratch_of(pid: int) -> list[Path]:
    """Folders and groups that a process made."""
    roots = (Path("/var/tmp"), Path("/tmp"))  # noqa: S108  # where a stage is made
    found = [path for root in roots for path in root.glob(f"w-{pid}-*")]
    return found + list(Path("/sys/fs/cgroup").glob(f"**/w-{pid}-*"))
