"""The audit: a session against the files it was about (docs/audit.md).

What is shown is the files in scope; without a scope, those of which anything entered or may have,
or that a claim names.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from evaluation.audit.both import covered_by_both
from evaluation.audit.changes import Ground, past_in
from evaluation.audit.claims import Bench, hear
from evaluation.audit.corpus import Corpus, gather
from evaluation.audit.epochs import Measuring, Readings, read_in_epochs
from evaluation.audit.evidence import evidence_facts, session_facts
from evaluation.audit.listed import Shown, files_shown
from evaluation.audit.others import without_others
from evaluation.audit.places import Places
from evaluation.audit.reports import Reports
from evaluation.audit.result import (
    Audit,
    AuditedClaim,
    AuditedFile,
    ScopeFacts,
    counted,
)
from evaluation.audit.scope import find_scope
from evaluation.audit.session import OpenedSession
from evaluation.audit.tree import CommitTree, Listing, Tree, WorkTree
from evaluation.judging.claim import Claim
from evaluation.judging.judge import Judge, JudgeFailedError
from evaluation.reading.collector import without_collector
from evaluation.reading.engine import Reading
from evaluation.reading.lines.shown import strings_in
from evaluation.reading.progress import Tell
from evaluation.scoring.coverage import FileScope, entered, run_coverage
from evaluation.scoring.score import RULES, FileCoverage, Interval, Rule, Verdict
from evaluation.scoring.verdict import verdict

NO_SCOPE = "no review scope"
EARLIER = "the last prompt asks for something else than the review"
NO_ANSWER = "the session ends without an answer"
NO_ACCOUNT = "the answer is no account of work"


@dataclass(frozen=True)
class Request:
    """What is to be audited, and against what."""

    session: OpenedSession
    root: Path
    commit: str | None = None
    """None: the files as they are now."""
    scope: tuple[str, ...] = ()
    """Globs; none: what the prompt asks to have reviewed."""
    quick: bool = False
    """Only the files that the session, its prompt or its answer name are looked at."""
    notes: tuple[str, ...] = ()
    """What the caller has to say of how it came to this."""
    tell: Tell | None = None
    """Told how far the measuring has come."""


class Audited(NamedTuple):
    """An audit with the texts that it was made from, for a page that shows them."""

    audit: Audit
    corpus: Corpus
    reading: Reading | None


def audit(request: Request, judge: Judge) -> Audited:
    """Audit a session. Raises UserError for a root, a commit or a glob that is none."""
    with without_collector():
        return _Auditor(request, judge).run()


def _seen_in(root: Path, session: OpenedSession) -> OpenedSession:
    """The session with where its agent saw the files, if it worked in this very folder, or above or
    below it; else nobody knows: they may have been brought here from anywhere."""
    folder = posixpath.normpath(session.folder) if session.folder.startswith("/") else ""
    for seen in (posixpath.normpath(root.absolute()), str(root.resolve())):
        if folder and posixpath.commonpath((seen, folder)) in (seen, folder):
            place = "" if folder == seen else folder
            return replace(session, log=replace(session.log, root=seen, folder=place))
    return session


class _Auditor:
    """One audit, step by step."""

    def __init__(self, request: Request, judge: Judge) -> None:
        self._request = request
        self._judge = judge
        self._session = _seen_in(request.root, request.session)
        self._log = self._session.log
        self._answer = self._log.final.text if self._log.final else ""
        self._listing = self._listed()
        self._paths = tuple(file.path for file in self._listing.files)
        self._places = Places(self._paths, request.root, self._session.folder)
        self._ground = Ground(
            root=request.root,
            files=self._listing.files,
            places=self._places,
            is_now=request.commit is None,
            named=self._named_anywhere,
        )
        self._scope = find_scope(request.scope, self._session, self._places, request.root)
        self._named = self._places.mentioned(self._answer) if self._answer else frozenset()

    def run(self) -> Audited:
        corpus = gather(
            self._tree(),
            self._listing.files,
            self._named_anywhere,
            quick=self._request.quick,
        )
        readings = self._measure(corpus)
        reading = readings.shown.reading if readings is not None else None
        scope = self._counted(corpus)
        bench = Bench(
            corpus=corpus,
            readings=readings,
            log=self._log,
            scope=scope,
            is_current=self._scope is not None and self._scope.is_current,
            listed=self._paths,
            prompt="\n".join(self._session.prompts()),
        )
        claims, claim, failed = self._claims(bench)
        verdicts, why = self._verdict(bench, claim)
        coverage = None
        if reading is not None and scope is not None:
            files = FileScope(scope, ())
            coverage = run_coverage(reading, self._log, files, corpus.index)
        reports = Reports(self._judge, bench, self._places)
        agents = None
        if reading is not None and not self._request.quick:
            agents = reports.agents(self._log, reading)
        result = Audit(
            session=session_facts(self._session, self._request.root, self._request.commit),
            scope=self._scope_facts(corpus, scope),
            files=tuple(self._files(bench, claims)),
            claims=claims,
            coverage=coverage,
            verdict=verdicts,
            evidence=evidence_facts(
                self._session,
                corpus,
                self._ground,
                notes=tuple(self._notes(bench)),
                readings=readings,
                no_verdict=failed or why,
            ),
            origin=None if agents is None else reports.origins(agents, verdicts),
            subagent_claims=None if agents is None else tuple(reports.audited(agents)),
        )
        return Audited(result, corpus, reading)

    def _tree(self) -> Tree:
        request = self._request
        if request.commit is not None:
            return CommitTree(request.root, request.commit)
        return WorkTree(request.root)

    def _listed(self) -> Listing:
        """The files of the tree, the session's own not among them."""
        listing = self._tree().list_files()
        own, root = self._session.path.resolve(), self._request.root.resolve()
        if root not in own.parents:
            return listing
        inside = own.relative_to(root).as_posix()
        kept = (
            file
            for file in listing.files
            if file.path != inside and not file.path.startswith(f"{inside}/")
        )
        return replace(listing, files=tuple(kept))

    def _named_anywhere(self) -> frozenset[str]:
        """Files in scope, and those that the answer or the arguments of a call name."""
        written = "\n".join(
            part for call in self._session.calls() for part in strings_in(call.arguments)
        )
        scope = frozenset(self._scope.files if self._scope else ())
        return scope | self._named | self._places.mentioned(written)

    def _measure(self, corpus: Corpus) -> Readings | None:
        if self._log.missing:
            return None
        past = past_in(self._session, self._ground, corpus)
        said = "\n".join((self._answer, *self._log.reports.values()))
        wanted = self._places.mentioned(said).union(self._scope.files if self._scope else ())
        log, tools = self._log, self._session.tools
        if corpus.unnamed:
            log = without_others(log, tools, corpus.index, frozenset(self._paths))
        asked = Measuring(log, tools, corpus.index, wanted, self._request.tell)
        readings = read_in_epochs(asked, past)
        told = self._session.trajectory.extra
        unshown = told.evidence.unshown if told and told.evidence else ()
        return readings.with_attached(unshown, wanted)

    def _counted(self, corpus: Corpus) -> tuple[str, ...] | None:
        if self._scope is None:
            return None
        return tuple(path for path in self._scope.files if corpus.index.files.get(path))

    def _claims(self, bench: Bench) -> tuple[tuple[AuditedClaim, ...], Claim | None, str]:
        """The claims, the label, and why there are none where the judge failed."""
        if not self._answer.strip():
            return (), None, ""
        task = (self._session.prompts() or ("",))[0]
        named = {path for path in self._named if path not in (bench.scope or ())}
        try:
            heard = hear(self._judge, task, self._answer, bench.scope or (), named)
        except JudgeFailedError as error:
            return (), None, f"the judge gave no answer: {error}"
        found = tuple(bench.audited(claim) for claim in heard.claims(self._answer))
        return found, heard.judgement.claim, ""

    def _verdict(self, bench: Bench, claim: Claim | None) -> tuple[dict[Rule, Verdict] | None, str]:
        """The verdict by rule, or why there is none."""
        if bench.scope is None:
            return None, NO_SCOPE
        if bench.readings is None:
            return None, "coverage is not measurable"
        if not bench.scope:
            return None, self._without_lines(bench.corpus)
        if claim is None:
            return None, NO_ANSWER
        if not bench.is_current:
            return None, EARLIER
        if not claim.is_report:
            return None, NO_ACCOUNT
        return {
            rule: verdict(rule, covered_by_both(bench.readings, bench.scope, rule), claim)
            for rule in RULES
        }, ""

    def _without_lines(self, corpus: Corpus) -> str:
        """Why no file in scope has a line that could be read."""
        files = self._scope.files if self._scope else ()
        if any(corpus.index.files.get(path) is None for path in files):
            return "no file in scope can be read"
        return "the file in scope is empty" if len(files) == 1 else "all files in scope are empty"

    def _shown(self, bench: Bench) -> Shown:
        """The files to show besides those that claims name; none where a scope says which."""
        if bench.scope is not None or bench.readings is None:
            return Shown(frozenset(), 0)
        return files_shown(bench.readings.shown.reading, bench.corpus.index)

    def _notes(self, bench: Bench) -> Iterator[str]:
        yield from (*self._request.notes, *self._listing.notes)
        if others := self._shown(bench).others:
            files = counted(others, "file", "more ")
            yield f"a line was shown that many files hold: it may have been one of {files}"

    def _files(self, bench: Bench, claims: Sequence[AuditedClaim]) -> Iterator[AuditedFile]:
        index, readings = bench.corpus.index, bench.readings
        if bench.scope is not None:
            paths: Sequence[str] = bench.scope
        else:
            claimed = {claim.subject for claim in claims}
            shown = self._shown(bench).files
            paths = sorted({p for p in (*claimed, *shown) if index.files.get(p)})
        if readings is None:
            for path in paths:
                yield _unmeasured(path, len(index.files[path]))
            return
        threads = sorted(readings.shown.reading.threads.items())
        for file in bench.coverage(paths, readings.shown).files:
            by = {name: entered(one, file.path, index) for name, one in threads}
            yield _audited(file, {name: found for name, found in by.items() if found[1]})

    def _scope_facts(self, corpus: Corpus, scope: tuple[str, ...] | None) -> ScopeFacts | None:
        if self._scope is None or scope is None:
            return None
        rest = (path for path in self._scope.files if path not in corpus.index.files)
        return ScopeFacts(files=len(scope), how=self._scope.how, unreadable=tuple(rest))


def _audited(file: FileCoverage, by: dict[str, Interval]) -> AuditedFile:
    return AuditedFile(
        path=file.path,
        lines=file.lines,
        entered=file.entered,
        visible=file.visible,
        ambiguous=file.ambiguous,
        ranges=file.ranges,
        by=by,
    )


def _unmeasured(path: str, lines: int) -> AuditedFile:
    return AuditedFile(
        path=path, lines=lines, entered=None, visible=None, ambiguous=0, ranges=(), by={}
    )
