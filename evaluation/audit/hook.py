"""The Stop hook of Claude Code: blocks an answer that claims what cannot be true, once.

It never blocks on silence, on what is undecided or cannot be measured, or on a fault of its own: a
hook must not break a session. What went wrong goes to stderr, and the session goes on.
"""

from __future__ import annotations

import re
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
from evaluation.audit.result import AuditedClaim, LinesOf, counted
from evaluation.audit.session import OpenedSession, open_session
from evaluation.judging.catalogue import DEFAULT, judge_named

SECONDS = 30
"""The longest that a session is kept waiting; the CLI itself would wait for a minute."""
EVENT = "Stop"
"""What a sub-agent says at its end is no answer, and before a tool runs there is none."""
MOST_INPUT = 16 << 20
MOST_CLAIMS = 5
"""Claims that the reason names."""
MOST_FILES = 10
"""Files of which it names lines."""
MOST_RUNS = 5
"""Runs of lines of one file."""
LONGEST_QUOTE = 300
LONGEST_PATH = 200
FIGURE = re.compile(r"(\d+(?: to \d+)? of \d+ (?:file|line)s?) (touched|entered in full|entered)")
"""How the evidence of a claim about several files begins."""
PLAIN = {
    "touched": "shown to you, in whole or in part",
    "entered in full": "shown to you in full",
    "entered": "shown to you",
}
MISSING = (
    "Either read what is missing, or give the whole answer again with the claim corrected: say"
    " which files you did not read, or read only in part. If you meant a tool's check, or only some"
    " of the files, say so."
)
DENIED = (
    "Give the whole answer again without the denial, or with it corrected: those lines were shown"
    " to you."
)


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
    if asked.get("hook_event_name", EVENT) != EVENT:
        return ""
    if asked.get("stop_hook_active") is not False:
        return ""  # it has been blocked once; where that is not told, it may have been
    answer, path = asked.get("last_assistant_message"), asked.get("transcript_path")
    if not isinstance(path, str):
        raise UserError("the hook's input names no transcript")
    if isinstance(answer, str) and not answer.strip():
        return ""
    session = open_session(Path(path), answer if isinstance(answer, str) else None)
    if not isinstance(answer, str) and not _ends_with_its_answer(session):
        raise UserError("the hook's input has no answer, and the session does not end with one")
    root = named or _held_in(session.folder, asked.get("cwd"))
    request = Request(session, root, scope=scope, quick=True)
    result = audit(request, judge_named(DEFAULT)).audit
    if not result.contradicted:
        return ""
    block = {"decision": "block", "reason": reason(result.contradicted)}
    return orjson.dumps(block, option=orjson.OPT_APPEND_NEWLINE).decode()


def _ends_with_its_answer(session: OpenedSession) -> bool:
    """Whether the last that the session has is its final response. Where the CLI has not written it
    down yet, an older text stands there, and a prompt or a tool's result behind it."""
    said = [step for step in session.trajectory.steps if step.source != "system"]
    final = session.log.final
    if not said or final is None or said[-1].source != "agent" or said[-1].tool_calls:
        return False
    return bool(final.text.strip()) and said[-1].message.strip() == final.text.strip()


def _held_in(folder: str, told: object) -> Path:
    """The folder of the session; the one that the hook is told may be where it went since."""
    if folder and Path(folder).is_dir():
        return Path(folder)
    return Path(told if isinstance(told, str) and told else folder or ".")


def reason(claims: Sequence[AuditedClaim]) -> str:
    """What the agent is told: its claims, which lines were not shown to it, and what to do."""
    over = [claim for claim in claims if not claim.is_denial]
    told: dict[str, list[AuditedClaim]] = {}
    for claim in claims:
        told.setdefault(_quoted(claim.quote), []).append(claim)
    lines = ["Your answer says something about your reading that this session does not bear out:"]
    lines += [_told(quote, of_it) for quote, of_it in list(told.items())[:MOST_CLAIMS]]
    if len(told) > MOST_CLAIMS:
        lines.append(f"- and {len(told) - MOST_CLAIMS} more")
    unseen = list(dict.fromkeys(one for claim in over for one in claim.broken_by))
    if unseen:
        lines.append("What was not shown to you:")
        lines += [f"- {_lines(one, shown=False)}" for one in unseen[:MOST_FILES]]
    if len(unseen) > MOST_FILES:
        lines.append(f"- and {counted(len(unseen) - MOST_FILES, 'file', 'more ')}")
    lines += [MISSING] if over else []
    lines += [DENIED] if len(over) < len(claims) else []
    return "\n".join(lines)


def _quoted(quote: str) -> str:
    """A claim in its own words, on one line: of a list its heading and the item that is meant."""
    lines = [line for line in quote.splitlines() if line.strip()]
    if len(lines) > 2:
        first, last = (_cut(line, LONGEST_QUOTE // 2) for line in (lines[0], lines[-1]))
        return inert(f"{first} \u2026 {last}")
    return inert(_cut(" ".join(lines), LONGEST_QUOTE))


def _cut(line: str, longest: int) -> str:
    """In whole words, where there are any."""
    cut = shorten(line, longest, placeholder=" \u2026")
    return cut if cut.strip("\u2026 ") else f"{line[:longest]}\u2026"


def _told(quote: str, claims: Sequence[AuditedClaim]) -> str:
    """What is said, and the figures that break it."""
    figures = dict.fromkeys(found for claim in claims for found in _figures(claim))
    return f'- You say "{quote}"' + (f": {'; '.join(figures)}." if figures else ".")


def _figures(claim: AuditedClaim) -> Iterator[str]:
    found = FIGURE.match(claim.evidence)
    if claim.is_denial and claim.broken_by:
        yield from (_lines(one, shown=True) for one in claim.broken_by[:MOST_FILES])
    elif found is not None:
        yield f"{found[1]} {_were(found[1])} {PLAIN[found[2]]}"
    elif not claim.broken_by:
        yield inert(f"the session shows: {claim.evidence}"[:LONGEST_QUOTE])


def _were(figure: str) -> str:
    return "was" if figure.startswith("1 of ") else "were"


def _lines(lines: LinesOf, *, shown: bool) -> str:
    """`lines 61-150 of src/store.py were never shown to you`."""
    path = lines.path if len(lines.path) <= LONGEST_PATH else f"\u2026{lines.path[-LONGEST_PATH:]}"
    path = inert(path)
    if lines.is_all:
        return f"all of {path} was shown to you" if shown else f"{path} was never opened"
    runs = [str(a) if a == b else f"{a}-{b}" for a, b in lines.runs[:MOST_RUNS]]
    more = len(lines.runs) - MOST_RUNS
    several = len(lines.runs) > 1 or lines.runs[0][0] < lines.runs[0][1]
    named = ", ".join(runs) + (f" and {more} more runs" if more > 0 else "")
    told = ("lines", "were") if several else ("line", "was")
    return f"{told[0]} {named} of {path} {told[1]} {'' if shown else 'never '}shown to you"


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
