from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import sys
import tracemalloc
from pathlib import Path
from uuid import uuid4

import pytest

from authoring.errors import InfrastructureError
from evaluation.sandboxes import arguments
from evaluation.sandboxes.bubblewrap import BOUNDS, Bubblewrap, Run, threads_of
from evaluation.sandboxes.groups import Group, make_group
from evaluation.sandboxes.promises import promises_of, unseen
from evaluation.sandboxes.sandbox import Command
from evaluation.sandboxes.trees import Owner, Tree, remove_tree
from tests.evaluation.sandboxes.bench import LINGER, Alive, Bench, bash, sh

OURS = (
    "ocb",
    "overclaim",
    "needle",
    "planted",
    "ablation",
    "sim/",
    "contract_review",
    "registry.json",
)
MEASURING = ("measur", "benchmark", "evaluat", "score", "agent", "sandbox", "record")

SURVEY = """
env
cat /proc/self/mountinfo /proc/mounts
for p in /proc/[0-9]*; do
  tr '\\0' ' ' < $p/cmdline; tr '\\0' '\\n' < $p/environ; ls -l $p/fd $p/cwd $p/root
done
find /opt /etc /home /run /var /tmp /usr/local
"""


def test_the_environment_is_exactly_what_was_given(bench: Bench, bubblewrap: Bubblewrap) -> None:
    ran = bench.run(bubblewrap, "/usr/bin/env", "-0")
    entries = {line for line in ran.text.split("\0") if line}
    # PWD is bubblewrap's own: it has changed into the corpus.
    assert entries - {"PWD=/home/dev/review"} == {
        "PATH=/usr/bin:/bin",
        "HOME=/home/dev",
        "WORD=a b\n=c",
    }


def test_user_host_and_folder_are_neutral(bench: Bench, bubblewrap: Bubblewrap) -> None:
    ran = bench.run(bubblewrap, *sh("id; hostname; pwd; cat a.txt sub/b.txt; cat ~/.settings"))
    assert ran.text == (
        "uid=1000(dev) gid=1000(dev) groups=1000(dev)\n"
        "workstation\n/home/dev/review\nfirst\nsecond\nthird\ngiven\n"
    )


def test_nothing_inside_is_named_after_us(bench: Bench, bubblewrap: Bubblewrap) -> None:
    ran = bench.run(bubblewrap, *sh(SURVEY))
    seen = ran.text.lower()
    assert "/home/dev/review/sub/b.txt" in seen
    assert "/proc/self/mountinfo" in seen
    assert "/opt/reader/tool" in seen
    assert [word for word in OURS if word in seen] == []
    assert str(bench.root.parent) not in seen


def test_the_forwarder_says_nothing_of_what_it_serves(bench: Bench, bubblewrap: Bubblewrap) -> None:
    ran = bench.run(bubblewrap, *sh("cat /opt/proxy/*"))
    seen = ran.text.lower()
    assert "def main" in seen
    assert [word for word in (*OURS, *MEASURING) if word in seen] == []


@pytest.mark.parametrize(
    "path",
    ["/etc/shadow", "/root", "/etc/ssl/private", "/sys", "/var/lib", "/var/log", "/boot", "/srv"],
)
def test_host_folders_are_not_there(path: str, bench: Bench, bubblewrap: Bubblewrap) -> None:
    ran = bench.run(bubblewrap, *sh(f"ls -la {path}"))
    assert ran.exit.code != 0
    assert b"No such file" in ran.stderr


def test_the_build_and_other_files_cannot_be_read(bench: Bench, bubblewrap: Bubblewrap) -> None:
    paths = (bench.build / "registry.json", bench.root, Path(__file__), Path(sys.executable))
    ran = bench.run(bubblewrap, *sh(";".join(f"cat '{path}'" for path in paths)))
    assert ran.text == ""
    assert ran.stderr.count(b"No such file") == len(paths)
    around = bench.run(bubblewrap, *sh("find / -name 'registry*' -not -path '/usr/*' 2>/dev/null"))
    assert "json" not in around.text


@pytest.mark.parametrize(
    "attempt",
    [
        "echo x >> a.txt",
        "echo x > new.txt",
        "rm a.txt",
        "mv a.txt b.txt",
        "chmod 777 a.txt",
        "touch a.txt",
        "rmdir sub",
        "mv ../review ../other",
    ],
)
def test_the_corpus_cannot_be_changed(attempt: str, bench: Bench, bubblewrap: Bubblewrap) -> None:
    ran = bench.run(bubblewrap, *sh(attempt))
    assert ran.exit.code != 0
    found = {path.name: path.read_text() for path in bench.corpus.rglob("*.txt")}
    assert found == {"a.txt": "first\nsecond\n", "b.txt": "third\n"}


@pytest.mark.parametrize("path", ["/etc/passwd", "/opt/proxy/forward.py", "/usr/bin/env", "/x"])
def test_the_system_cannot_be_changed(path: str, bench: Bench, bubblewrap: Bubblewrap) -> None:
    assert bench.run(bubblewrap, *sh(f": >> {path}")).exit.code != 0


def test_the_kernels_settings_are_closed_also_where_ocb_is_root(
    bench: Bench, bubblewrap: Bubblewrap
) -> None:
    # Opened for appending, and nothing written: harmless where it succeeds.
    ran = bench.run(bubblewrap, *sh(": >> /proc/sys/kernel/core_pattern"))
    assert ran.exit.code != 0


def test_no_further_namespace_can_be_made(bench: Bench, bubblewrap: Bubblewrap) -> None:
    assert bench.run(bubblewrap, "/usr/bin/unshare", "--user", "true").exit.code != 0


def test_the_home_keeps_what_the_agent_wrote_and_nothing_else(
    bench: Bench, bubblewrap: Bubblewrap
) -> None:
    bench.run(bubblewrap, *sh("mkdir ~/notes; echo kept > ~/notes/one; ln -s /etc/shadow ~/link"))
    assert sorted(path.name for path in bench.home.iterdir()) == [".settings", "link", "notes"]
    assert (bench.home / "notes" / "one").read_text() == "kept\n"


def test_only_the_gateway_answers(bench: Bench, bubblewrap: Bubblewrap) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = bench.run(
            bubblewrap,
            *bash(
                f"(exec 3<>/dev/tcp/127.0.0.1/{port}) && echo reached;"
                " (exec 3<>/dev/tcp/192.0.2.1/80) && echo outside;"
                " cut -d: -f1 /proc/net/dev | tail -n +3"
            ),
        )
    assert ran.text.split() == ["lo"]
    assert b"refused" in ran.stderr
    assert b"unreachable" in ran.stderr


def test_bytes_pass_to_the_gateway_and_back_unchanged(bench: Bench, bubblewrap: Bubblewrap) -> None:
    script = """
import os, socket
data = bytes(range(256)) * 8192
with socket.create_connection(("127.0.0.1", 8080)) as there:
    there.sendall(data)
    there.shutdown(socket.SHUT_WR)
    back = b"".join(iter(lambda: there.recv(65536), b""))
print(back == b"gateway:" + data)
"""
    ran = bench.run(bubblewrap, "/usr/bin/python3", "-c", script)
    assert ran.text == "True\n"
    assert [len(data) for data in bench.greeted] == [2 << 20]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        pytest.param(("/bin/true",), 0, id="well"),
        pytest.param(("/bin/sh", "-c", "exit 7"), 7, id="its own code"),
        pytest.param(("/bin/sh", "-c", "kill -9 $$"), 137, id="a signal"),
        pytest.param(("/opt/reader/none",), 127, id="no such program"),
        pytest.param(("/opt/reader/tool",), 0, id="a program that was brought"),
    ],
)
def test_the_exit_code_is_the_commands(
    argv: tuple[str, ...], code: int, bench: Bench, bubblewrap: Bubblewrap
) -> None:
    ran = bench.run(bubblewrap, *argv)
    assert (ran.exit.code, ran.exit.how) == (code, "ended")


def test_a_sandbox_that_is_killed_from_outside_says_so(
    bench: Bench, bubblewrap: Bubblewrap
) -> None:
    def kill() -> None:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)

    bench.on_greeting = kill
    talk = "echo words >&2; exec 3<>/dev/tcp/127.0.0.1/8080; echo hello >&3; exec 3>&-; sleep 20"
    with pytest.raises(InfrastructureError, match=r"^bwrap was killed \(signal 9\)$"):
        bench.run(bubblewrap, *bash(talk))


def test_standard_input_is_at_its_end(bench: Bench, bubblewrap: Bubblewrap) -> None:
    assert bench.run(bubblewrap, *sh("cat; echo done")).text == "done\n"


def test_output_is_streamed_to_disk(bench: Bench, bubblewrap: Bubblewrap) -> None:
    tracemalloc.start()
    try:
        asyncio.run(bubblewrap.run(bench_command(bench, "head -c 52428800 /dev/zero")))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (bench.root / "stdout").stat().st_size == 52428800
    assert peak < 4 << 20


def bench_command(bench: Bench, script: str) -> Command:
    with socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(bench.socket))
    return bench.command(*sh(script))


def test_time_that_is_up_ends_every_process(
    bench: Bench, bubblewrap: Bubblewrap, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    script = LINGER + "time.sleep(3600)"
    ran = bench.run(bubblewrap, "/usr/bin/python3", "-c", script, marker, seconds=3)
    assert ran.text == "lingering\n"
    assert ran.exit.how == "timed out"
    assert alive(marker) == []


def test_what_a_command_leaves_behind_ends_with_it(
    bench: Bench, bubblewrap: Bubblewrap, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    ran = bench.run(bubblewrap, "/usr/bin/python3", "-c", LINGER + "sys.exit(4)", marker)
    assert (ran.exit.code, ran.exit.how) == (4, "ended")
    assert alive(marker) == []


def test_a_run_that_is_cancelled_leaves_no_process_and_gives_the_home_back(
    bench: Bench, bubblewrap: Bubblewrap, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    script = "echo begun > ~/begun; exec 3<>/dev/tcp/127.0.0.1/8080; exec 3>&-; sleep 3600"

    async def cancel_once_begun() -> None:
        begun = asyncio.Event()
        bench.on_greeting = begun.set
        task = asyncio.create_task(bench.run_in_loop(bubblewrap, "/bin/bash", "-c", script, marker))
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        assert alive(marker) != []
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancel_once_begun())
    assert alive(marker) == []
    assert (bench.home / "begun").read_text() == "begun\n"


def test_the_agent_is_never_root_on_the_host(
    bench: Bench, bubblewrap: Bubblewrap, alive: Alive
) -> None:
    marker = f"marker-{uuid4().hex}"
    users: set[str] = set()

    def look() -> None:
        for pid in alive(marker):
            status = Path(f"/proc/{pid}/status").read_text()
            users.update(re.findall(r"^Uid:\t(\d+)", status, re.MULTILINE))

    bench.on_greeting = look
    # It waits for the answer, so it is there while the gateway looks.
    script = """
import socket
with socket.create_connection(("127.0.0.1", 8080)) as there:
    there.shutdown(socket.SHUT_WR)
    there.recv(1)
"""
    bench.run(bubblewrap, "/usr/bin/python3", "-c", script, marker)
    assert users
    assert "0" not in users


@pytest.mark.parametrize("missing", ["corpus", "socket", "home"])
def test_a_sandbox_that_cannot_be_laid_out_is_an_infrastructure_error(
    missing: str, bench: Bench, bubblewrap: Bubblewrap
) -> None:
    command = bench_command(bench, "true")
    path: Path = getattr(command, missing)
    path.rename(bench.root / "elsewhere")
    with pytest.raises(InfrastructureError):
        asyncio.run(bubblewrap.run(command))


def test_nothing_of_a_run_is_left_on_the_host(
    bench: Bench, bubblewrap: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = bench.root / "stages"
    stages.mkdir()
    stages.chmod(0o755)
    monkeypatch.setattr("evaluation.sandboxes.scratch.PARENTS", (str(stages),))
    monkeypatch.setattr("evaluation.sandboxes.bubblewrap.agent_owner", lambda: None)
    assert bench.run(bubblewrap, *sh("mkdir -m 0 ~/closed; ls ..")).exit.code == 0
    assert list(stages.iterdir()) == []


@pytest.mark.parametrize(
    ("levels", "name"),
    [(1500, "d"), (19, "d" * 200), (40, "d" * 200)],
    ids=["1500 folders", "a path of 3.8 kB", "a path of 8 kB"],
)
def test_a_home_of_any_depth_is_given_back(
    levels: int, name: str, bench: Bench, bubblewrap: Bubblewrap
) -> None:
    script = f"""
import os
os.chdir("/home/dev")
for _ in range({levels}):
    os.mkdir("{name}")
    os.chdir("{name}")
print("done")
"""
    ran = bench.run(bubblewrap, "/usr/bin/python3", "-c", script)
    try:
        assert (ran.exit.code, ran.text) == (0, "done\n")
        owners = {
            os.stat(entry.name, dir_fd=entry.folder, follow_symlinks=False).st_uid
            for entry in Tree(bench.home)
        }
        assert owners == {os.getuid()}
        assert sum(not entry.after for entry in Tree(bench.home)) == levels + 1
    finally:
        assert remove_tree(bench.home) == 0


TAKE = {
    "processes": """
import os, sys
started = 0
try:
    while started < 3000:
        if os.fork() == 0:
            os.read(os.pipe()[0], 1)
        started += 1
except OSError as error:
    print(error.strerror)
""",
    "open files": """
import os
try:
    kept = [os.open("/dev/null", 0) for _ in range(5000)]
except OSError as error:
    print(error.strerror)
""",
    "one file": """
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    os.ftruncate(os.open("/home/dev/large", os.O_CREAT | os.O_WRONLY), 2 << 30)
except OSError as error:
    print(error.strerror)
""",
    "shared memory": """
try:
    with open("/dev/shm/large", "wb") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))
except OSError as error:
    print(error.strerror)
""",
    "devices": """
try:
    open("/dev/large", "wb")
except OSError as error:
    print(error.strerror)
""",
}


@pytest.mark.parametrize(
    ("what", "refusal"),
    [
        ("processes", "Resource temporarily unavailable"),
        ("open files", "Too many open files"),
        ("one file", "File too large"),
        ("shared memory", "No space left on device"),
        ("devices", "Read-only file system"),
    ],
)
def test_an_agent_cannot_take_without_bound(
    what: str, refusal: str, bench: Bench, bubblewrap: Bubblewrap
) -> None:
    ran = bench.run(bubblewrap, "/usr/bin/python3", "-c", TAKE[what])
    assert ran.text == f"{refusal}\n"


def test_no_core_goes_to_a_program_of_the_host(bench: Bench, bubblewrap: Bubblewrap) -> None:
    """A bound of one byte: of none, a collector on the host would still be started."""
    script = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE))"
    assert bench.run(bubblewrap, "/usr/bin/python3", "-c", script).text == "(1, 1)\n"


MISSING = {"memory": "none", "pids": "none", "cpu": "none"}


@pytest.mark.parametrize(
    ("fault", "missing", "limited", "broken"),
    [
        pytest.param(None, {}, True, set(), id="all"),
        pytest.param(None, MISSING, True, {"memory", "processors"}, id="no control groups"),
        pytest.param(None, {"memory": "none"}, True, {"memory"}, id="no group for memory"),
        pytest.param(None, {}, False, {"open files", "disk"}, id="no limits of processes"),
        pytest.param(
            None,
            MISSING,
            False,
            {"memory", "processors", "processes", "open files", "disk"},
            id="neither",
        ),
        pytest.param(
            "no user namespaces",
            {},
            True,
            {
                *("files", "corpus", "network", "environment", "user", "end"),
                *("memory", "processors", "processes", "open files", "disk"),
            },
            id="no sandbox",
        ),
    ],
)
def test_a_promise_that_cannot_be_kept_is_named(
    fault: str | None, missing: dict[str, str], limited: bool, broken: set[str]
) -> None:
    promises = promises_of(fault, missing, limited=limited, root=True)
    assert len({promise.name for promise in promises}) == len(promises) == 11
    assert {promise.name for promise in promises if not promise.holds} == broken
    assert all(promise.detail for promise in promises)


def test_what_is_promised_here_follows_from_what_the_machine_has(bubblewrap: Bubblewrap) -> None:
    with make_group(BOUNDS) as group:
        kept = {"memory": "memory", "cpu": "processors"}
        missing = {kept[name] for name in group.missing if name in kept}
    assert {promise.name for promise in bubblewrap.promises() if not promise.holds} == missing
    assert len(bubblewrap.unbounded()) == len(missing) + 1


def test_what_an_agent_may_take_without_being_seen_is_said() -> None:
    assert "deleted files" in unseen(root=True)
    assert "closed" in unseen(root=False)


def test_processes_that_its_user_has_elsewhere_do_not_count_against_an_agent() -> None:
    owner = Owner(os.getuid(), os.getgid())
    assert threads_of(os.getuid()) >= 1
    assert Run(owner, Group(BOUNDS)).limits()["nproc"] >= 1025


@pytest.mark.parametrize(
    ("packages", "hidden"),
    [
        ("/home/me/checkout", ()),
        ("/usr/lib/python3/dist-packages", ("/usr/lib/python3/dist-packages",)),
        ("/usr/local/lib/python3.12/site-packages", ()),
        ("/usr/share/checkout", ("/usr/share",)),
    ],
)
def test_packages_under_a_shared_folder_are_hidden_without_naming_them(
    packages: str, hidden: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "PACKAGES", Path(packages))
    found = [folder for folder in arguments.hidden_folders() if folder != "/usr/local"]
    assert tuple(found) == hidden


def test_an_interpreter_that_is_brought_comes_without_packages_and_scripts() -> None:
    python = arguments.own_interpreter()
    library = f"/opt/python/lib/python3.{sys.version_info.minor}"
    inside = {bind.inside for bind in python.binds if "libpython" not in bind.inside}
    assert python.program == "/opt/python/bin/python3"
    assert inside == {"/opt/python/bin/python3", library}
    assert set(python.hidden) <= {f"{library}/site-packages"}
