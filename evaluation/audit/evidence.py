"""What an audit's figures rest on: the session, its rows, the files, and what is not known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.audit.changes import SLACK
from evaluation.audit.corpus import Corpus
from evaluation.audit.result import EvidenceFacts, LaterReading, SessionFacts
from evaluation.audit.session import OpenedSession
from evaluation.audit.tree import Listed
from evaluation.reading.engine import measure
from evaluation.scoring.coverage import ranges
from evaluation.transcripts.trajectory import Evidence

SHOWN_NAMES = 100


@dataclass(frozen=True)
class Ground:
    """The files that a session was held against."""

    files: Sequence[Listed]
    notes: tuple[str, ...]
    """How they were found, and what of them was not looked at."""
    changed: Collection[str]
    """Those that changed while the session went on."""
    is_now: bool
    """As they are now; else as a commit has them."""


def session_facts(session: OpenedSession, root: Path, commit: str | None) -> SessionFacts:
    """Which session it is, and which files it was held against."""
    return SessionFacts(
        path=str(session.path),
        format=session.format,
        id=session.trajectory.session_id,
        agent=session.trajectory.agent.name,
        version=session.trajectory.agent.version,
        models=dict(session.log.models),
        folder=session.folder,
        root=str(root),
        commit=commit,
        threads=len(session.log.threads),
    )


def evidence_facts(
    session: OpenedSession, corpus: Corpus, ground: Ground, *, no_verdict: str
) -> EvidenceFacts:
    """What there was, what was left out, and what is lost."""
    told = session.trajectory.extra
    evidence = (told.evidence if told else None) or Evidence(rows=0, unreadable=0)
    missing = session.log.missing
    return EvidenceFacts(
        measurable=not missing,
        why_not="; ".join(missing),
        no_verdict=no_verdict,
        rows=evidence.rows,
        unknown=dict(evidence.unknown),
        unreadable=evidence.unreadable,
        missing=evidence.missing,
        inferred=evidence.inferred,
        notes=(*ground.notes, *_notes(session, corpus, ground)),
        files_indexed=len(corpus.index.files),
        binary=len(corpus.binary),
        undecodable=tuple(sorted(corpus.unreadable))[:SHOWN_NAMES],
        changed=tuple(sorted(path for path in ground.changed if corpus.index.files.get(path))),
        after_answer=tuple(_later(session, corpus)),
    )


def _notes(session: OpenedSession, corpus: Corpus, ground: Ground) -> Iterator[str]:
    if corpus.unnamed:
        yield f"{corpus.unnamed:,} files that the session does not name were not looked at"
    times = session.times()
    if ground.is_now and times is not None:
        later = sum(
            file.time is not None and file.time > times[1] + SLACK
            for file in ground.files
            if corpus.index.files.get(file.path)
        )
        if later:
            yield (
                f"{later:,} files were written after the session: --rev COMMIT takes the text"
                " as it was then"
            )


def _later(session: OpenedSession, corpus: Corpus) -> Iterator[LaterReading]:
    """Lines that only entered after the answer."""
    final = session.log.final
    texts = tuple(t for t in session.log.texts if final is not None and t.call > final.call)
    if not texts or session.log.missing:
        return
    log = replace(session.log, texts=texts, final=None)
    for path, found in measure(log, session.tools, corpus.index).union.files.items():
        most = found.sure | found.possible
        if most:
            shown = tuple(ranges(found.sure))
            yield LaterReading(path=path, entered=(len(found.sure), len(most)), ranges=shown)
