"""What an agent inside a container might try. Nothing of it works, and what is known is marked."""

from __future__ import annotations

import asyncio
import shlex
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from evaluation.agents.session_files import copy_files
from evaluation.sandboxes.docker.sandbox import Docker, agent_owner
from evaluation.sandboxes.groups import Bounds
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

PYTHON = ("python3", "-c")
MIB = 1 << 20
NARROW = Bounds(memory=256 * MIB, processes=100, processors=1.0)


@pytest.fixture
def narrow(engine: Mapping[str, str]) -> Docker:
    """One whose bounds are soon reached."""
    return Docker(engine, NARROW)


def that_worked(bench: Bench, docker: Docker, attempts: tuple[str, ...]) -> list[str]:
    """Which of these commands ended well; the first is one that does."""
    tried = ("test -r a.txt", *attempts)
    script = "".join(
        f"(cd ~/review; sh -c {shlex.quote(attempt)}) >/dev/null 2>&1 && echo {number}\n"
        for number, attempt in enumerate(tried)
    )
    first, *others = bench.run(docker, *sh(script)).text.split()
    assert first == "0"
    return [tried[int(number)] for number in others]


def test_what_is_not_its_own_cannot_be_read(bench: Bench, docker: Docker) -> None:
    outside = (
        *(bench.build / "registry.json", bench.root, bench.home / ".settings", bench.corpus),
        *(Path(__file__), Path(sys.executable), Path("/var/run/docker.sock")),
    )
    attempts = (
        *(f"ls {shlex.quote(str(path))}" for path in outside),
        "cat /etc/shadow",
        "ls /root",
        "cat /proc/1/environ",
        "cat /proc/1/maps",
        "ls /proc/1/fd",
        "ls /proc/1/root",
        "ls /proc/1/cwd/",
        "dd if=/proc/1/mem of=/dev/null count=1",
        "cat /proc/kcore",
        "cat /proc/timer_list | grep .",
        "cat /dev/mem",
        "cat /dev/kmsg",
        "dmesg",
        "ls /sys/class/*",
        "ls /sys/devices/*",
        "find / -name 'registry.json' -not -path '/proc/*' 2>/dev/null | grep .",
        "ls -RF / 2>/dev/null | grep '=$' | grep -v '^proxy.sock='",
        "find /dev -type b | grep .",
    )
    assert that_worked(bench, docker, attempts) == []


READ_ALL = """
env; set
for p in /proc/[0-9]* /proc/self/task/[0-9]*; do
  cat $p/environ $p/cmdline $p/auxv; ls -l $p/fd
done
find / -xdev -type f -size -64k -not -path '/usr/*' -not -path '/proc/*' -exec cat {} +
find /opt /etc /home /run /tmp -type f -size -64k -exec cat {} +
"""


def test_no_key_of_the_operator_is_anywhere(
    bench: Bench, docker: Docker, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = f"sk-canary-{uuid4().hex}"
    monkeypatch.setenv("ANTHROPIC_API_KEY", canary)
    (bench.root / "key").write_text(canary)
    ran = bench.run(docker, *sh(READ_ALL))
    assert b"def main" in ran.stdout  # the forwarder: files were read
    assert canary.encode() not in ran.stdout + ran.stderr


def test_another_run_is_not_there(bench: Bench, docker: Docker) -> None:
    """Not its home, its gateway, its processes; it lasts while this one looks."""
    secret = f"secret-{uuid4().hex}"
    look = "ls -F /run; find / -name 'secret-*' 2>/dev/null; cat /proc/[0-9]*/cmdline"
    over = asyncio.Event()

    async def both(other: Bench) -> Ran:
        begun = asyncio.Event()
        bench.on_greeting, bench.may_answer = begun.set, over.is_set
        script = f"open('/home/dev/{secret}', 'w')\n{ASK_UNTIL_ANSWERED}"
        first = asyncio.create_task(bench.run_in_loop(docker, *PYTHON, script))
        await begun.wait()
        ran = await other.run_in_loop(docker, *sh(look))
        over.set()
        assert (await first).exit.code == 0
        return ran

    with tempfile.TemporaryDirectory(prefix="ocb-") as folder:
        ran = asyncio.run(both(type(bench)(Path(folder))))
    assert "proxy.sock=\n" in ran.text
    assert secret not in ran.text
    assert (bench.home / secret).exists()


REACH = """
import socket, sys
def attempt(name, act):
    try:
        act()
    except OSError as error:
        print(name, error.strerror or error, file=sys.stderr)
    else:
        print(name)
def connect(kind, address):
    with socket.socket(kind, socket.SOCK_STREAM) as there:
        there.settimeout(3)
        there.connect(address)
def send(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
        there.sendto(b"hello", address)
for address in ("127.0.0.1", "0.0.0.0", {address!r}, "172.17.0.1", "10.0.0.1", "192.0.2.1",
                "169.254.169.254"):
    attempt(address, lambda: connect(socket.AF_INET, (address, {port})))
attempt("loopback 6", lambda: connect(socket.AF_INET6, ("::1", {port})))
attempt("abstract", lambda: connect(socket.AF_UNIX, {abstract!r}))
attempt("file", lambda: connect(socket.AF_UNIX, {path!r}))
attempt("engine", lambda: connect(socket.AF_UNIX, "/var/run/docker.sock"))
attempt("datagram", lambda: send(("192.0.2.1", 53)))
attempt("names", lambda: socket.getaddrinfo("example.org", 80))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close())
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close())
connect(socket.AF_INET, ("127.0.0.1", 8080))
print("gateway")
print(sorted(name for _, name in socket.if_nameindex()))
"""


def test_nothing_but_the_gateway_is_reached(bench: Bench, docker: Docker) -> None:
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
        ran = bench.run(docker, *PYTHON, script)
    assert ran.text == "gateway\n['lo']\n"
    assert len(ran.stderr.splitlines()) == 15


ATTACH = "import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(16, {}, 0, 0) != 0)"


def test_mounts_devices_and_rights_are_out_of_reach(bench: Bench, docker: Docker) -> None:
    attempts = (
        # The corpus, the program, the system.
        *("echo x >> a.txt", "echo x > new.txt", "rm a.txt", "mv a.txt b.txt", "chmod 777 a.txt"),
        *("touch a.txt", "rmdir sub", "mv ../review ../other", "echo x > /proc/self/cwd/a.txt"),
        *("ln -s review/a.txt ~/l && echo x > ~/l", "ln a.txt ~/hard", "ln /opt/reader/tool ~/h"),
        *("echo x > /opt/reader/tool", "rm /opt/reader/tool", ": >> /opt/proxy/forward.py"),
        *(": >> /etc/passwd", ": >> /etc/hosts", ": >> /usr/bin/env", ": > /x", ": > /run/x"),
        *(": > /usr/local/bin/x", ": > /dev/x", "rm /run/proxy.sock", "chmod 0 /run/proxy.sock"),
        # Mounts and namespaces.
        *("unshare --mount true", "unshare --user --map-root-user true", "unshare --net true"),
        *("mount -t tmpfs none /tmp", "mount -o remount,rw ~/review", "mount -o remount,rw /"),
        *("mount --bind ~ ~/review", "umount ~/review", "umount -l /usr", "chroot / true"),
        "nsenter --target 1 --mount true",
        "mkdir ~/p && mount -t proc none ~/p",
        # Devices, users, the kernel.
        *("mknod ~/disk b 254 0", "mknod ~/memory c 1 1", "chown 0:0 ~", "renice -n -5 $$"),
        *("setpriv --reuid 0 true", "su -c true", "date --set 2001-01-01"),
        *("echo x > /proc/sys/kernel/hostname", ": >> /proc/sys/kernel/core_pattern"),
        *("echo 1 > /proc/sysrq-trigger", "hostname other", "echo 0 > /proc/1/oom_score_adj"),
        "find / -xdev -perm /6000 -type f 2>/dev/null | grep .",
        "f=$(find /sys/fs/cgroup -name pids.max | head -1); test $f && echo max > $f",
        "d=$(find /sys/fs/cgroup -name cgroup.procs | head -1); mkdir $(dirname $d)/x",
        f"python3 -c '{ATTACH.format(1)}'",
    )
    assert that_worked(bench, docker, attempts) == []
    found = {path.name: path.read_text() for path in bench.corpus.rglob("*.txt")}
    assert found == {"a.txt": "first\nsecond\n", "b.txt": "third\n"}
    assert (bench.root / "tools" / "reader-1.0" / "tool").read_text().endswith("echo program\n")


VIRTUAL = ("proc", "sysfs", "tmpfs", "devpts", "mqueue", "cgroup", "cgroup2")


def test_nothing_but_the_home_lies_on_a_disk_and_is_writable(bench: Bench, docker: Docker) -> None:
    writable, shared = set(), set()
    for line in bench.run(docker, *sh("cat /proc/self/mountinfo")).text.splitlines():
        mount, _, source = line.partition(" - ")
        point, options = mount.split()[4:6]
        if source.split()[0] not in VIRTUAL:
            shared.add(point)
            if "rw" in options.split(","):
                writable.add(point)
    assert writable == {"/home/dev"}
    assert shared == {
        *("/", "/home/dev", "/home/dev/review", "/opt/reader", "/run/proxy.sock"),
        *("/opt/proxy/forward.py", "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname"),
        *("/etc/nsswitch.conf", "/etc/resolv.conf"),
    }


def test_everybody_inside_is_without_rights_for_good(bench: Bench, docker: Docker) -> None:
    script = "grep -hE '^(Uid|Cap...|NoNewPrivs|Seccomp):' /proc/[1-9]*/status | sort -u"
    told = dict(line.split(":\t") for line in bench.run(docker, *sh(script)).text.splitlines())
    uid = str(agent_owner().uid)
    assert told.pop("Uid").split() == [uid] * 4
    assert told.pop("NoNewPrivs") == "1"
    assert told.pop("Seccomp") == "2"
    assert len(told) == 5
    assert {int(rights, 16) for rights in told.values()} == {0}


def user() -> dict[str, Any]:
    """As whom a process of the host is started to be of the agent's own user."""
    owner = agent_owner()
    return {"user": owner.uid, "group": owner.gid, "extra_groups": []}


@pytest.mark.parametrize(
    "attempt", ["kill -9 -1; kill -9 1; sleep 1; kill -9 0", "kill 1; sleep 9"]
)
def test_a_signal_to_everybody_reaches_nobody_outside(
    attempt: str, bench: Bench, docker: Docker
) -> None:
    with subprocess.Popen(["/bin/sleep", "3600"], **user()) as outside:
        ran = bench.run(docker, *bash(attempt))
        assert (ran.exit.code, ran.exit.how) == (137, "ended")
        assert outside.poll() is None
        outside.kill()


BOMB = """
import os, time
if os.fork() == 0:
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)
time.sleep({})
"""


@pytest.mark.parametrize(
    ("lasting", "seconds", "how"),
    [(0.5, 60, "ended"), (3600, 2, "timed out")],
    ids=["whose maker ends", "whose maker stays"],
)
def test_a_fork_bomb_ends_with_the_run(
    lasting: float, seconds: float, how: str, bench: Bench, narrow: Docker, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    ran = bench.run(narrow, *PYTHON, BOMB.format(lasting), marker, seconds=seconds)
    assert ran.exit.how == how
    assert alive(marker) == []
    assert "reached the limit of 100 processes" in ran.exit.marks


def test_memory_that_is_used_up_ends_the_taker_and_is_marked(bench: Bench, narrow: Docker) -> None:
    ran = bench.run(narrow, *bash("head -c 400M /dev/zero | tail > /dev/null; echo after"))
    assert (ran.text, ran.exit.how) == ("after\n", "ended")
    assert marked(ran)[-1:] == ["ran out of its 0.25 GiB of memory"]


def test_files_in_memory_count_as_memory(bench: Bench, narrow: Docker) -> None:
    ran = bench.run(narrow, *bash("head -c 400M /dev/zero > /tmp/large && echo whole"))
    assert ran.text == ""
    assert marked(ran)[-1:] == ["ran out of its 0.25 GiB of memory"]


def marked(ran: Ran) -> list[str]:
    """Its marks, without how many processes were killed: the first one may be among them."""
    return [mark.partition(":")[0] for mark in ran.exit.marks]


TAKE = """
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def take(act):
    try:
        act()
    except OSError as error:
        print(error.strerror)
def open_many():
    kept = [os.open("/dev/null", 0) for _ in range(5000)]
def fill(path):
    with open(path, "wb") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))
take(lambda: os.ftruncate(os.open("/home/dev/large", os.O_CREAT | os.O_WRONLY), 2 << 30))
take(lambda: fill("/dev/shm/large"))
take(open_many)
"""


def test_an_agent_cannot_take_without_bound(bench: Bench, docker: Docker) -> None:
    ran = bench.run(docker, *PYTHON, TAKE)
    assert ran.text.splitlines() == [
        "File too large",
        "No space left on device",
        "Too many open files",
    ]


def test_a_home_that_is_filled_ends_the_run(
    bench: Bench, docker: Docker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.sandboxes.deadline.HOME_LOOK", 0.2)
    script = "i=0; while :; do head -c 8M /dev/zero > ~/$i; i=$((i+1)); done"
    ran = bench.run(docker, *bash(script), home_bytes=32 * MIB)
    assert (ran.exit.code, ran.exit.how) == (137, "filled")


def test_a_home_full_of_traps_gives_nothing_of_the_hosts(bench: Bench, docker: Docker) -> None:
    folder = bench.root / "outside"
    folder.mkdir()
    (folder / "secret").write_text("secret of the host")
    script = f"""
cd; ln -s /etc/shadow shadow.md; ln -s {folder}/secret report.md; ln -s {folder} notes
mkdir .cli; ln -s {folder} .cli/sessions; ln -s . loop; mkfifo pipe.md; echo own > own.md
mkdir closed; echo own > closed/own.md; chmod 0 closed
"""
    assert bench.run(docker, *bash(script)).exit.how == "ended"
    kept = bench.root / "kept"
    kept.mkdir()
    keep_deliverables(bench.home, kept)
    copy_files(bench.home, Path(".cli", "sessions"), kept / "sessions")
    found = [path for path in kept.rglob("*") if not path.is_dir()]
    assert all(stat.S_ISREG(path.lstat().st_mode) for path in found)
    assert {path.read_text() for path in found} == {"own\n"}
