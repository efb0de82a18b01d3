"""What an audit's figures rest on: the session, its rows, the files, and what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from authoring.errors import UserError
from evaluation.audit.changes import Ground, written_later
from evaluation.audit.corpus import Corpus
from evaluation.audit.epochs import Readings
from evaluation.audit.result import EvidenceFacts, LaterReading, SessionFacts, counted
from evaluation.audit.session import OpenedSession
from evaluation.reading.engine import measure
from evaluation.scoring.coverage import entered, ranges
from evaluation.transcripts.json_lines import read_lines
from evaluation.transcripts.trajectory import Evidence

SHOWN_NAMES = 100
SHOWN_LINES = 5
LOOKED_THROUGH = 64 << 20
"""Bytes of a session's file that is read once more for the numbers of its lines."""


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
    session: OpenedSession,
    corpus: Corpus,
    ground: Ground,
    *,
    notes: Sequence[str],
    readings: Readings | None,
    no_verdict: str,
) -> EvidenceFacts:
    """What there was, what was left out, and what is lost. `notes` say how the files were found."""
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
        unreadable_lines=_unreadable_lines(session.path, evidence.unreadable),
        missing=evidence.missing,
        inferred=evidence.inferred,
        notes=(*notes, *_notes(session, corpus, ground)),
        files_indexed=len(corpus.index.files),
        binary=len(corpus.binary),
        undecodable=tuple(sorted(corpus.unreadable))[:SHOWN_NAMES],
        changed=_with_lines(readings.unknown if readings else (), corpus),
        followed=_with_lines(readings.followed if readings else (), corpus),
        after_answer=tuple(_later(session, corpus)),
    )


def _notes(session: OpenedSession, corpus: Corpus, ground: Ground) -> Iterator[str]:
    if corpus.unnamed:
        files = counted(corpus.unnamed, "file")
        yield f"not looked at, since the session does not name them or names too many: {files}"
    later = written_later(session, ground.files, corpus) if ground.is_now else 0
    if later:
        files = counted(later, "file")
        yield f"written after the session: {files}; --rev COMMIT takes the text as it was then"


def _unreadable_lines(path: Path, count: int) -> tuple[int, ...]:
    """The first lines of a session's file that cannot be read, where these are all that count."""
    try:
        if not count or not path.is_file() or path.stat().st_size > LOOKED_THROUGH:
            return ()
        torn = (line.number for line in read_lines(path) if not line.whole)
        found = tuple(islice(torn, count + 1))
    except (OSError, UserError):
        return ()
    return found[:SHOWN_LINES] if len(found) == count else ()


def _with_lines(paths: Iterable[str], corpus: Corpus) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if corpus.index.files.get(path)))


def _later(session: OpenedSession, corpus: Corpus) -> Iterator[LaterReading]:
    """Lines that only entered after the answer."""
    final = session.log.final
    texts = tuple(t for t in session.log.texts if final is not None and t.call > final.call)
    if not texts or session.log.missing:
        return
    log = replace(session.log, texts=texts, final=None)
    union = measure(log, session.tools, corpus.index).union
    for path, found in union.files.items():
        ends = entered(union, path, corpus.index)
        if ends[1]:
            yield LaterReading(path=path, entered=ends, ranges=tuple(ranges(found.sure)))
