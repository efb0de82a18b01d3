"""Rows of made-up sessions in the formats of Codex, Gemini CLI, OpenCode and ATIF."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import orjson
from pydantic import JsonValue

from benchmarks.reading_sessions import Result

TIME = "2026-11-30T12:00:00.000Z"
MB = 1_000_000


def codex_rows(number: int, result: Result) -> Iterator[bytes]:
    """A call and its output in a rollout, with the copy for the display."""

    def row(kind: str, **payload: JsonValue) -> bytes:
        return orjson.dumps({"timestamp": TIME, "type": kind, "payload": payload})

    if number == 1:
        yield row("session_meta", id="thread-1", cli_version="0.142.0", source="exec")
        yield row("turn_context", model="gpt-5.4", cwd="/home/dev/review")
    call = f"call_{number:024}"
    arguments = orjson.dumps({"cmd": f"cat file-{number}"}).decode()
    yield row(
        "response_item",
        type="function_call",
        name="exec_command",
        call_id=call,
        arguments=arguments,
    )
    yield row("event_msg", type="exec_command_end", aggregated_output=result.plain, exit_code=0)
    head = "Chunk ID: 8c7cc0\nWall time: 0.1000 seconds\nProcess exited with code 0\nOutput:\n"
    output = head + result.plain
    yield row("response_item", type="function_call_output", call_id=call, output=output)


def codex_exec_rows(number: int, result: Result) -> Iterator[bytes]:
    """A command and its output, as it is printed."""
    if number == 1:
        yield orjson.dumps({"type": "thread.started", "thread_id": "thread-1"})
    item = {"id": f"item_{number}", "type": "command_execution", "command": f"cat file-{number}"}
    begun = {**item, "aggregated_output": "", "status": "in_progress"}
    yield orjson.dumps({"type": "item.started", "item": begun})
    ended = {**item, "aggregated_output": result.plain, "exit_code": 0, "status": "completed"}
    yield orjson.dumps({"type": "item.completed", "item": ended})


def gemini_rows(number: int, result: Result) -> Iterator[bytes]:
    """An answer in a journal, written again with its result."""
    if number == 1:
        yield orjson.dumps({"sessionId": "s-1", "projectHash": "x", "kind": "main"})
    identity = f"read_file__c{number:024}"
    call = {"id": identity, "name": "read_file", "args": {"file_path": f"file-{number}"}}
    message = {"id": f"m-{number:024}", "timestamp": TIME, "type": "gemini", "content": ""}
    yield orjson.dumps({**message, "model": "m-1", "toolCalls": [call]})
    response = {"id": identity, "name": "read_file", "response": {"output": result.plain}}
    done = {**call, "status": "success", "result": [{"functionResponse": response}]}
    yield orjson.dumps({**message, "model": "m-1", "toolCalls": [done]})


def _part(number: int, result: Result) -> dict[str, JsonValue]:
    state: dict[str, JsonValue] = {
        "status": "completed",
        "input": {"filePath": f"/home/dev/review/file-{number}"},
        "output": f"<path>x</path>\n<type>file</type>\n<content>\n{result.text}\n</content>",
        "metadata": {"preview": result.plain[:600]},
        "time": {"start": 1_790_000_000_000, "end": 1_790_000_000_100},
    }
    return {"type": "tool", "callID": f"call_{number}", "tool": "read", "state": state}


def opencode_rows(number: int, result: Result) -> Iterator[bytes]:
    """The parts of an answer, as they are printed."""
    message = f"msg_{number:024}"
    parts: tuple[tuple[str, dict[str, JsonValue]], ...] = (
        ("step_start", {"type": "step-start"}),
        ("tool_use", _part(number, result)),
    )
    for place, (kind, part) in enumerate(parts):
        whole = {"id": f"prt_{number:022}{place}", "messageID": message, **part}
        yield orjson.dumps({"type": kind, "sessionID": "ses_1", "part": whole})


def export_rows(number: int, result: Result) -> Iterator[bytes]:
    """A message of an export."""
    info = {"id": f"msg_{number:024}", "role": "assistant", "modelID": "m"}
    yield orjson.dumps({"info": info, "parts": [_part(number, result)]})


def atif_rows(number: int, result: Result) -> Iterator[bytes]:
    """A step of an ATIF document."""
    call = {"tool_call_id": f"c{number}", "function_name": "Read", "arguments": {"file_path": "x"}}
    observation = {"results": [{"source_call_id": f"c{number}", "content": result.text}]}
    step = {"step_id": number, "timestamp": TIME, "source": "agent", "message": ""}
    yield orjson.dumps({**step, "tool_calls": [call], "observation": observation})


def write_store(path: Path, results: Iterator[Result], size: int) -> int:
    """OpenCode's database with one session of about so many megabytes."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text,"
            " version text);"
            "CREATE TABLE message (id text PRIMARY KEY, session_id text, data text);"
            "CREATE TABLE part (id text PRIMARY KEY, message_id text, data text);"
            "INSERT INTO session VALUES ('ses_1', NULL, '/home/dev/review', '1.18.33');"
        )
        written = 0
        for number, result in enumerate(results, start=1):
            message = f"msg_{number:024}"
            info = orjson.dumps({"role": "assistant", "modelID": "m"}).decode()
            part = orjson.dumps(_part(number, result)).decode()
            database.execute("INSERT INTO message VALUES (?, 'ses_1', ?)", (message, info))
            database.execute(
                "INSERT INTO part VALUES (?, ?, ?)", (f"prt{number:024}", message, part)
            )
            written += len(part)
            if written > size * MB:
                database.commit()
                return 2 * number
    return 0


def decode_store(path: Path) -> None:
    """Only decode what the database holds."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        for table in ("message", "part"):
            for (data,) in database.execute(f"SELECT data FROM {table}"):  # noqa: S608 - two names
                orjson.loads(data)
