from __future__ import annotations

import asyncio
import contextlib
import socket
from uuid import uuid4

import pytest

from evaluation.sandboxes.unconfined import Unconfined
from tests.evaluation.sandboxes.bench import LINGER, Alive, Bench


def unconfined(bench: Bench) -> Unconfined:
    return Unconfined.for_run(bench.home, bench.corpus)


def test_the_environment_is_exactly_what_was_given(bench: Bench) -> None:
    ran = bench.run(unconfined(bench), "/usr/bin/env", "-0")
    assert {line for line in ran.text.split("\0") if line} == {
        "PATH=/usr/bin:/bin",
        "HOME=/home/dev",
        "WORD=a b\n=c",
    }


def test_inside_is_the_host_itself(bench: Bench) -> None:
    sandbox = unconfined(bench)
    ran = bench.run(sandbox, "/bin/sh", "-c", "pwd; cat; cat a.txt")
    assert ran.text == f"{bench.corpus}\nfirst\nsecond\n"
    assert sandbox.inside.home == str(bench.home)
    assert sandbox.inside.corpus == str(bench.corpus)


def test_the_gateway_answers_at_the_address_it_says(bench: Bench) -> None:
    sandbox = unconfined(bench)
    port = sandbox.inside.gateway.removeprefix("http://127.0.0.1:")
    probe = (
        "import socket; there = socket.create_connection(('127.0.0.1', int(%s)));"
        "there.sendall(b'hello'); there.shutdown(socket.SHUT_WR); print(there.recv(99).decode())"
    )
    ran = bench.run(sandbox, "/usr/bin/python3", "-c", probe % port)
    assert ran.text == "gateway:hello\n"


def test_a_program_is_found_where_the_host_has_it(bench: Bench) -> None:
    assert bench.run(unconfined(bench), "/opt/reader/tool").text == "program\n"


@pytest.mark.parametrize(("script", "code"), [("exit 7", 7), ("kill -9 $$", 137), ("true", 0)])
def test_the_exit_code_is_the_commands(script: str, code: int, bench: Bench) -> None:
    ran = bench.run(unconfined(bench), "/bin/sh", "-c", script)
    assert (ran.exit.code, ran.exit.how) == (code, "ended")


def test_time_that_is_up_ends_every_process(bench: Bench, alive: Alive) -> None:
    marker = f"marker-{uuid4().hex}"
    script = LINGER + "time.sleep(3600)"
    ran = bench.run(unconfined(bench), "/usr/bin/python3", "-c", script, marker, seconds=3)
    assert ran.text == "lingering\n"
    assert ran.exit.how == "timed out"
    assert alive(marker) == []


def test_what_a_command_leaves_behind_ends_with_it(bench: Bench, alive: Alive) -> None:
    marker = f"marker-{uuid4().hex}"
    ran = bench.run(unconfined(bench), "/usr/bin/python3", "-c", LINGER + "sys.exit(4)", marker)
    assert (ran.exit.code, ran.exit.how) == (4, "ended")
    assert alive(marker) == []


def test_a_run_that_is_cancelled_leaves_no_process(bench: Bench, alive: Alive) -> None:
    marker = f"marker-{uuid4().hex}"
    sandbox = unconfined(bench)
    port = sandbox.inside.gateway.removeprefix("http://127.0.0.1:")
    script = f"exec 3<>/dev/tcp/127.0.0.1/{port}; exec 3>&-; sleep 3600"

    async def cancel_once_begun() -> None:
        begun = asyncio.Event()
        bench.on_greeting = begun.set
        task = asyncio.create_task(bench.run_in_loop(sandbox, "/bin/bash", "-c", script, marker))
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        assert alive(marker) != []
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancel_once_begun())
    assert alive(marker) == []


def test_a_port_that_was_not_used_is_given_back(bench: Bench) -> None:
    sandbox = unconfined(bench)
    port = int(sandbox.inside.gateway.rpartition(":")[2])
    sandbox.close()
    with socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect(("127.0.0.1", port))
