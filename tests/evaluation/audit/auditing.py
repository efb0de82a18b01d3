"""An audit of a hand-made session, as the tests ask for it."""

from __future__ import annotations

from pathlib import Path

from evaluation.audit.audit import Audited, Request, audit
from evaluation.audit.result import Audit
from evaluation.audit.session import open_session
from evaluation.judging.catalogue import judge_named
from tests.evaluation.audit.sessions import HandMade

JUDGE = judge_named("rules")


def audited(
    session: HandMade,
    root: Path,
    *scope: str,
    commit: str | None = None,
    quick: bool = False,
    answer: str | None = None,
) -> Audited:
    """With the texts and the reading that it was made from."""
    path = session.write(root.parent / "kept" / "session.jsonl")
    opened = open_session(path, answer)
    return audit(Request(opened, root, commit, scope, quick=quick), JUDGE)


def audit_of(
    session: HandMade,
    root: Path,
    *scope: str,
    commit: str | None = None,
    quick: bool = False,
    answer: str | None = None,
) -> Audit:
    """What is printed."""
    return audited(session, root, *scope, commit=commit, quick=quick, answer=answer).audit


def claims(result: Audit) -> list[tuple[str, str, str]]:
    """Subject, quantity and status of each claim."""
    return [(one.subject, one.quantity, one.status) for one in result.claims]
