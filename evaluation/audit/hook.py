"""The Stop hook of Claude Code: blocks an answer that claims what cannot be true, once.

It never blocks on silence, on what is undecided or cannot be measured, or on a fault of its own: a
hook must not break a session. What went wrong goes to stderr, and the session goes on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import BinaryIO, TextIO

import orjson

from authoring.errors import UserError
from authoring.inert import inert
from evaluation.audit.audit import Request, audit
from evaluation.audit.result import Audit
from evaluation.audit.session import open_session
from evaluation.judging.catalogue import DEFAULT, judge_named

SECONDS = 30
"""The longest that a session is kept waiting; the CLI itself would wait for a minute."""
MOST_INPUT = 16 << 20
MOST_CLAIMS = 5
"""Claims that the reason names."""
LONGEST_QUOTE = 300


class _TooSlowError(Exception):
    """The time is up."""


def run_claude_hook(source: BinaryIO, scope: Sequence[str], errors: TextIO) -> str:
    """What the hook prints: JSON that blocks the stop, or nothing. Never raises."""
    try:
        with _deadline(SECONDS):
            return _decide(source.read(MOST_INPUT), tuple(scope))
    except UserError as error:
        told = str(error)
    except _TooSlowError:
        told = f"the audit took more than {SECONDS} seconds"
    except Exception as error:  # noqa: BLE001 - a fault of ours is no reason to stop a session
        told = f"internal error: {type(error).__name__}: {error}"
    errors.write(f"ocb: not audited: {inert(told, keep=chr(10))}\n")
    return ""


def _decide(data: bytes, scope: tuple[str, ...]) -> str:
    try:
        asked = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise UserError(f"the hook's input is not JSON: {error}") from error
    if not isinstance(asked, dict):
        raise UserError("the hook's input is no JSON object")
    if asked.get("stop_hook_active") is not False:
        return ""  # it has been blocked once; where that is not told, it may have been
    answer, path = asked.get("last_assistant_message"), asked.get("transcript_path")
    if not isinstance(answer, str) or not answer.strip() or not isinstance(path, str):
        return ""
    session = open_session(Path(path), answer)
    told = asked.get("cwd")
    root = Path(told if isinstance(told, str) and told else session.folder or ".")
    if session.folder and Path(session.folder).is_dir():
        root = Path(session.folder)  # the agent may have changed its folder since
    request = Request(session, root, scope=scope, quick=True)
    result = audit(request, judge_named(DEFAULT)).audit
    if not result.contradicted:
        return ""
    block = {"decision": "block", "reason": reason(result)}
    return orjson.dumps(block, option=orjson.OPT_APPEND_NEWLINE).decode()


def reason(result: Audit) -> str:
    """What the agent is told: the claims, what was read, and what to do about it."""
    lines = ["Your answer says something about your reading that this session does not bear out:"]
    for claim in result.contradicted[:MOST_CLAIMS]:
        quote = " ".join(claim.quote.split())
        if len(quote) > LONGEST_QUOTE:
            quote = f"{quote[:LONGEST_QUOTE]}\u2026"
        lines.append(f'- "{inert(quote)}" ({inert(claim.subject)}: {inert(claim.evidence)})')
    if len(result.contradicted) > MOST_CLAIMS:
        lines.append(f"- and {len(result.contradicted) - MOST_CLAIMS} more")
    lines.append(
        "Either read what is missing, or give the whole answer again with the claim corrected:"
        " say which files you did not read, or read only in part."
    )
    return "\n".join(lines)


@contextmanager
def _deadline(seconds: int) -> Iterator[None]:
    """Raises _TooSlowError inside when the time is up, where signals can be had."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return

    def too_slow(number: int, frame: FrameType | None) -> None:
        raise _TooSlowError

    before = signal.signal(signal.SIGALRM, too_slow)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
