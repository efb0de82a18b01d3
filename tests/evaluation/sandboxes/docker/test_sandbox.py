"""What every run in a container has, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from authoring.errors import InfrastructureError
from evaluation.sandboxes.docker.container import containers, remove_leftover_containers
from evaluation.sandboxes.docker.engine import connected
from evaluation.sandboxes.docker.outfit import LABEL
from evaluation.sandboxes.docker.sandbox import Docker
from tests.evaluation.sandboxes.bench import LINGER, Alive, Bench, bash, sh
from tests.evaluation.sandboxes.docker.private_engine import private_engine

OURS = ("ocb", "overclaim", "needle", "planted", "ablation", "sim/", "contract_review", "registry.")
PYTHON = ("python3", "-c")


def containers_of(pid: int, engine: Mapping[str, str]) -> list[str]:
    """Those that a process made, running or not."""
    with connected(engine) as client:
        labels = [row["Labels"][LABEL] for row in containers(client)]
    return [label for label in labels if label.startswith(f"w-{pid}-")]


def test_a_command_finds_the_same_as_in_every_sandbox(bench: Bench, docker: Docker) -> None:
    ran = bench.run(
        docker,
        *sh("id; hostname; pwd; cat a.txt sub/b.txt ~/.settings; /opt/reader/tool; cat; env -0"),
    )
    before, _, environment = ran.text.partition("program\n")
    assert before == (
        "uid=1000(dev) gid=1000(dev) groups=1000(dev)\n"
        "workstation\n/home/dev/review\nfirst\nsecond\nthird\ngiven\n"
    )
    # The shell adds its own.
    assert {entry for entry in environment.split("\0") if entry} - {"PWD=/home/dev/review"} == {
        "PATH=/usr/bin:/bin",
        "HOME=/home/dev",
        "WORD=a b\n=c",
    }


SURVEY = """
env
cat /proc/self/mountinfo /proc/mounts /proc/self/cgroup /proc/1/cgroup
for p in /proc/[0-9]*; do
  tr '\\0' ' ' < $p/cmdline; tr '\\0' '\\n' < $p/environ; ls -l $p/fd $p/cwd $p/root
done
find / -xdev -not -path '/usr/*' -not -path '/var/lib/dpkg/*' -not -path '/proc/*'
find /home /opt /run /tmp
find /sys -maxdepth 3
"""


def test_nothing_inside_is_named_after_us(bench: Bench, docker: Docker) -> None:
    seen = bench.run(docker, *sh(SURVEY)).text.lower()
    for known in (
        "/home/dev/review/sub/b.txt",
        "/opt/reader/tool",
        "/run/proxy.sock",
        "/etc/hosts",
    ):
        assert known in seen
    assert [word for word in OURS if word in seen] == []
    assert str(bench.root.parent) not in seen
    # Files that the engine would mount from its own folders are ours instead.
    assert "/containers/" not in seen
    assert re.search(r"\d+:\w*:/$", seen, re.MULTILINE)  # no group tells its name


def test_bytes_pass_to_the_gateway_and_back_unchanged(bench: Bench, docker: Docker) -> None:
    script = """
import socket
data = bytes(range(256)) * 8192
with socket.create_connection(("127.0.0.1", 8080)) as there:
    there.sendall(data)
    there.shutdown(socket.SHUT_WR)
    back = b"".join(iter(lambda: there.recv(65536), b""))
print(back == b"gateway:" + data)
"""
    assert bench.run(docker, *PYTHON, script).text == "True\n"
    assert [len(data) for data in bench.greeted] == [2 << 20]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        pytest.param(sh("exit 7"), 7, id="its own code"),
        pytest.param(sh("kill -9 $$"), 137, id="a signal"),
        pytest.param(("/opt/reader/none",), 127, id="no such program"),
        pytest.param(sh("exec >&- 2>&-; sleep 0.5; exit 6"), 6, id="its outputs closed first"),
    ],
)
def test_the_exit_code_is_the_commands(
    argv: tuple[str, ...], code: int, bench: Bench, docker: Docker
) -> None:
    ran = bench.run(docker, *argv)
    assert (ran.exit.code, ran.exit.how, ran.exit.marks) == (code, "ended", ())


def test_output_is_whole_and_streamed_to_disk(bench: Bench, docker: Docker) -> None:
    with socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(bench.socket))
        command = bench.command(*sh("head -c 52428800 /dev/zero; echo end >&2"))
        tracemalloc.start()
        try:
            asyncio.run(docker.run(command))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert command.stdout.stat().st_size == 52428800
    assert command.stderr.read_text() == "end\n"
    assert peak < 8 << 20


@pytest.mark.parametrize(
    ("more", "how"),
    [
        ({"seconds": 1.5}, "timed out"),
        ({"finished": lambda _: True, "grace": 1.0}, "lingered"),
        ({"silence": 1.0, "quiet": lambda: 9.0}, "stalled"),
    ],
    ids=["its time is up", "its work is done", "it is silent"],
)
def test_a_run_that_may_be_ended_ends_with_every_process(
    more: dict[str, Any], how: str, bench: Bench, docker: Docker, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    ran = bench.run(docker, *PYTHON, LINGER + "time.sleep(3600)", marker, **more)
    assert (ran.text, ran.exit.code, ran.exit.how) == ("lingering\n", 137, how)
    assert ran.exit.seconds < 15
    assert alive(marker) == []


def test_what_a_command_leaves_behind_ends_with_it_and_is_marked(
    bench: Bench, docker: Docker, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    ran = bench.run(docker, *PYTHON, LINGER + "sys.exit(4)", marker)
    assert (ran.exit.code, ran.exit.how) == (4, "ended")
    assert ran.exit.marks == ("left 2 processes behind",)  # a shell and what it waits for
    assert alive(marker) == []


def test_a_run_that_is_cancelled_leaves_nothing_and_gives_the_home_back(
    bench: Bench, docker: Docker, engine: Mapping[str, str], alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    script = "echo begun > ~/begun; exec 3<>/dev/tcp/127.0.0.1/8080; exec 3>&-; sleep 3600; :"

    async def cancel_once_begun() -> None:
        begun = asyncio.Event()
        bench.on_greeting = begun.set
        task = asyncio.create_task(bench.run_in_loop(docker, *bash(script), marker))
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        assert alive(marker) != []
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancel_once_begun())
    assert alive(marker) == []
    assert (bench.home / "begun").read_text() == "begun\n"
    assert containers_of(os.getpid(), engine) == []


def test_nothing_of_a_run_is_left_on_the_host(
    bench: Bench, docker: Docker, engine: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = bench.root / "stages"
    stages.mkdir()
    monkeypatch.setattr("evaluation.sandboxes.scratch.PARENTS", (str(stages),))
    ran = bench.run(docker, *sh("mkdir -m 0 ~/closed; ln -s /etc/shadow ~/link; echo kept > ~/one"))
    assert ran.exit.code == 0
    assert list(stages.iterdir()) == []
    assert containers_of(os.getpid(), engine) == []
    # Nothing of the sandbox's own is in the home.
    assert {path.name for path in bench.home.iterdir()} == {".settings", "closed", "link", "one"}
    assert {path.lstat().st_uid for path in bench.home.iterdir()} == {os.getuid()}


@pytest.mark.parametrize("missing", ["corpus", "socket", "home"])
def test_a_sandbox_that_cannot_be_laid_out_is_an_infrastructure_error(
    missing: str, bench: Bench, docker: Docker
) -> None:
    with socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(bench.socket))
    command = bench.command("true")
    path: Path = getattr(command, missing)
    path.rename(bench.root / "elsewhere")
    with pytest.raises(InfrastructureError):
        asyncio.run(docker.run(command))


KILLED = """
import asyncio, sys
from pathlib import Path
from evaluation.sandboxes.docker.sandbox import Docker
from evaluation.sandboxes.sandbox import Command

home, corpus, socket, out, marker = sys.argv[1:]
asyncio.run(Docker().run(Command(
    ("/bin/sh", "-c", "echo begun; sleep 3600 & setsid sleep 3600; :", marker), {},
    Path(home), Path(corpus), Path(socket), (), Path(out), Path(out + ".error"), 60,
)))
"""


def test_what_a_killed_ocb_leaves_is_dead_and_removed_by_the_next(
    bench: Bench, docker: Docker, engine: Mapping[str, str], alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    out = bench.root / "stdout"
    os.mkfifo(out)
    with socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(bench.socket))
        paths = map(str, (bench.home, bench.corpus, bench.socket, out))
        killed = subprocess.Popen(
            [sys.executable, "-c", KILLED, *paths, marker], env={**os.environ, **engine}
        )
        told = os.open(out, os.O_RDWR)  # so that opening waits for nobody
        try:
            assert select.select([told], [], [], 30)[0], "it did not begin"
            inside = [os.pidfd_open(pid) for pid in alive(marker) if pid != killed.pid]
            assert inside
        finally:
            os.close(told)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        for process in inside:
            await_death(process)
    assert alive(marker) == []
    assert len(containers_of(killed.pid, engine)) == 1
    remove_leftover_containers(engine)
    assert containers_of(killed.pid, engine) == []


def await_death(process: int) -> None:
    """Of a process that nobody is left to kill."""
    try:
        assert select.select([process], [], [], 20)[0], "it outlives ocb"
    finally:
        os.close(process)


# The SDK leaves the socket open with which it tried to reach an engine that is gone.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_engine_that_is_killed_ends_the_run_at_once(bench: Bench, alive: Alive) -> None:
    marker = f"marker-{uuid4().hex}"
    with private_engine() as own:
        bench.on_greeting = own.process.kill
        script = "exec 3<>/dev/tcp/127.0.0.1/8080; exec 3>&-; sleep 3600; :"
        with pytest.raises(InfrastructureError, match="Docker Engine was lost during the run"):
            bench.run(Docker(own.environment), *bash(script), marker)
        assert alive(marker) == []
        gc.collect()
