"""The audit: a session against the files it was about (docs/audit.md).

What is shown is the files in scope; without a scope, those of which anything entered or that a
claim names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from authoring.errors import UserError
from evaluation.audit.changes import changed_files, made_files, opened_up
from evaluation.audit.claims import Bench, hear
from evaluation.audit.corpus import Corpus, gather
from evaluation.audit.evidence import Ground, evidence_facts, session_facts
from evaluation.audit.places import Places
from evaluation.audit.prompt import asked_scope
from evaluation.audit.result import (
    Audit,
    AuditedClaim,
    AuditedFile,
    ScopeFacts,
)
from evaluation.audit.session import OpenedSession
from evaluation.audit.tree import CommitTree, Listing, Tree, WorkTree
from evaluation.judging.claim import Claim
from evaluation.judging.judge import Judge, JudgeFailedError
from evaluation.reading.context import ContextLog
from evaluation.reading.engine import Reading, ThreadReading, measure
from evaluation.reading.shown import strings_in
from evaluation.scoring.coverage import FileScope, covered, run_coverage
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


class _Scope(NamedTuple):
    files: tuple[str, ...]
    how: str
    is_current: bool


class Audited(NamedTuple):
    """An audit with the texts that it was made from, for a page that shows them."""

    audit: Audit
    corpus: Corpus
    reading: Reading | None


def audit(request: Request, judge: Judge) -> Audited:
    """Audit a session. Raises UserError for a root, a commit or a glob that is none."""
    return _Auditor(request, judge).run()


class _Auditor:
    """One audit, step by step."""

    def __init__(self, request: Request, judge: Judge) -> None:
        self._request = request
        self._judge = judge
        self._session = request.session
        self._log = request.session.log
        self._answer = self._log.final.text if self._log.final else ""
        self._listing = self._listed()
        self._paths = tuple(file.path for file in self._listing.files)
        self._places = Places(self._paths, request.root, self._session.folder)
        self._scope = self._find_scope()
        self._named = self._places.mentioned(self._answer) if self._answer else frozenset()

    def run(self) -> Audited:
        corpus = gather(
            self._tree(),
            self._listing.files,
            self._named_anywhere,
            quick=self._request.quick,
        )
        changed = self._changed()
        reading = self._measure(self._log, corpus, changed)
        scope = self._counted(corpus)
        bench = Bench(
            corpus=corpus,
            reading=reading,
            log=self._log,
            scope=scope,
            is_current=self._scope is not None and self._scope.is_current,
            listed=self._paths,
        )
        claims, claim, failed = self._claims(bench)
        verdicts, why = self._verdict(bench, claim)
        coverage = None
        if reading is not None and scope is not None:
            files = FileScope(scope, ())
            coverage = run_coverage(reading, self._log, files, corpus.index)
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
                Ground(
                    files=self._listing.files,
                    notes=(*self._request.notes, *self._listing.notes),
                    changed=changed,
                    is_now=self._request.commit is None,
                ),
                no_verdict=failed or why,
            ),
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

    def _find_scope(self) -> _Scope | None:
        """Raises UserError where the globs that were given take in no file."""
        if self._request.scope:
            files = {path for glob in self._request.scope for path in self._of_option(glob)}
            how = " ".join(f"--scope {glob}" for glob in self._request.scope)
            return _Scope(tuple(sorted(files)), how, is_current=True)
        asked = asked_scope(self._session.prompts(), self._places)
        if asked is None:
            return None
        made = made_files(self._session, self._places)
        files = {path for path in asked.files if path not in made}
        if not files:
            return None
        return _Scope(tuple(sorted(files)), f"the prompt: {asked.quote}", asked.is_last)

    def _of_option(self, glob: str) -> tuple[str, ...]:
        found = self._places.matching(glob) or self._places.named(glob)
        if not found:
            what = f"--scope {glob!r} takes in no file"
            raise UserError(what, remedy=f"globs are below {self._request.root}")
        return found

    def _named_anywhere(self) -> frozenset[str]:
        """Files in scope, and those that the answer or the arguments of a call name."""
        written = "\n".join(
            part for call in self._session.calls() for part in strings_in(call.arguments)
        )
        scope = frozenset(self._scope.files if self._scope else ())
        return scope | self._named | self._places.mentioned(written)

    def _changed(self) -> frozenset[str]:
        if self._request.commit is not None:
            return frozenset()
        return changed_files(self._session, self._listing.files, self._places)

    def _measure(self, log: ContextLog, corpus: Corpus, changed: Iterable[str]) -> Reading | None:
        if log.missing:
            return None
        reading = measure(log, self._session.tools, corpus.index)
        return opened_up(reading, frozenset(changed), corpus.index)

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
        if bench.reading is None:
            return None, "coverage is not measurable"
        if not bench.scope:
            return None, "no file in scope can be read"
        if claim is None:
            return None, NO_ANSWER
        if not bench.is_current:
            return None, EARLIER
        if not claim.is_report:
            return None, NO_ACCOUNT
        files, index = FileScope(bench.scope, ()), bench.corpus.index
        union = bench.reading.union
        return {
            rule: verdict(rule, covered(union, files, index, rule), claim) for rule in RULES
        }, ""

    def _files(self, bench: Bench, claims: Sequence[AuditedClaim]) -> Iterator[AuditedFile]:
        index, reading = bench.corpus.index, bench.reading
        if bench.scope is not None:
            paths: Sequence[str] = bench.scope
        else:
            claimed = {claim.subject for claim in claims}
            read = reading.union.files if reading is not None else {}
            # A line that may be from any of many files enters none of them for sure.
            entered = (path for path, found in read.items() if found.sure)
            paths = sorted({p for p in (*claimed, *entered) if index.files.get(p)})
        if reading is None:
            for path in paths:
                yield _unmeasured(path, len(index.files[path]))
            return
        for file in bench.coverage(paths, reading).files:
            by = {name: _entered(one, file.path) for name, one in sorted(reading.threads.items())}
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


def _entered(thread: ThreadReading, path: str) -> Interval:
    found = thread.of(path)
    return (len(found.sure), len(found.sure | found.possible))
