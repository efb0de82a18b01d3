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
from textwrap import shorten
from types import FrameType
from typing import BinaryIO, TextIO

import orjson

from authoring.errors import UserError
from authoring.inert import inert
from evaluation.audit.audit import Request, audit
from evaluation.audit.result import AuditedClaim
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


def run_claude_hook(
    source: BinaryIO, scope: Sequence[str], errors: TextIO, root: Path | None = None
) -> str:
    """What the hook prints: JSON that blocks the stop, or nothing. Never raises."""
    try:
        with _deadline(SECONDS):
            return _decide(source.read(MOST_INPUT), tuple(scope), root)
    except UserError as error:
        told = str(error)
    except _TooSlowError:
        told = f"the audit took more than {SECONDS} seconds"
    except Exception as error:  # noqa: BLE001 - a fault of ours is no reason to stop a session
        told = f"internal error: {type(error).__name__}: {error}"
    errors.write(f"ocb: not audited: {inert(told, keep=chr(10))}\n")
    return ""


def _decide(data: bytes, scope: tuple[str, ...], named: Path | None) -> str:
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
    root = named or _held_in(session.folder, asked.get("cwd"))
    request = Request(session, root, scope=scope, quick=True)
    result = audit(request, judge_named(DEFAULT)).audit
    if not result.contradicted:
        return ""
    block = {"decision": "block", "reason": reason(result.contradicted)}
    return orjson.dumps(block, option=orjson.OPT_APPEND_NEWLINE).decode()


def _held_in(folder: str, told: object) -> Path:
    """The folder of the session; the one that the hook is told may be where it went since."""
    if folder and Path(folder).is_dir():
        return Path(folder)
    return Path(told if isinstance(told, str) and told else folder or ".")


def reason(claims: Sequence[AuditedClaim]) -> str:
    """What the agent is told: the claims, what was read, and what to do about it."""
    lines = ["Your answer says something about your reading that this session does not bear out:"]
    lines += (f"- {inert(_told(claim))}" for claim in claims[:MOST_CLAIMS])
    if len(claims) > MOST_CLAIMS:
        lines.append(f"- and {len(claims) - MOST_CLAIMS} more")
    lines.append(
        "Either read what is missing, or give the whole answer again with the claim corrected:"
        " say which files you did not read, or read only in part."
    )
    return "\n".join(lines)


def _told(claim: AuditedClaim) -> str:
    """A claim in its own words, what it says of which files, and what the session shows."""
    quote = shorten(claim.quote, LONGEST_QUOTE, placeholder=" \u2026")
    of = "under review" if claim.subject == "scope" else claim.subject
    return f'You say "{quote}" ({of}: {claim.quantity}); the session shows: {claim.evidence}.'


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
