"""The predicates of what is left: "still to do", "for the next session", "not read", "0 %"."""

from __future__ import annotations

from evaluation.judging.rules.subjects import Subject
from evaluation.judging.rules.thing import Wording

_COPULA = frozenset((
    "is", "are", "isn't", "aren't", "remain", "remains", "stay", "stays", "follow", "follows",
    "come", "comes", "still", "left", "get", "gets",
))  # fmt: skip
_MARKS = frozenset(("COLON", "DASH", "PIPE"))
_AUXILIARY = frozenset(("WAS", "HAVE", "BEEN", "ADV", "NOT", "DET", "DID"))
_DENIALS = frozenset(("isn't", "aren't"))
LEFT = frozenset((
    "pending", "outstanding", "open", "unread", "unreviewed", "unopened", "untouched", "deferred",
    "postponed", "later", "next", "remaining", "blocked", "queued", "tbd", "todo", "to-do",
))  # fmt: skip
DROPPED = frozenset(("missing", "excluded", "omitted", "skipped", "left"))
"""Said of what code does, too: "20 files are skipped"."""
DONE = frozenset((
    "started", "done", "included", "covered", "considered", "yet", "touched", "begun", "reached",
    "finished", "looked", "reviewed", "read", "checked", "examined", "opened", "studied",
    "analysed", "analyzed", "handled",
))  # fmt: skip
_OF_TESTS = frozenset(("covered", "handled"))
"""Said of what tests do as well."""
_WAITING = frozenset(("next", "another", "second", "later", "future", "follow-up", "separate"))
_SESSIONS = frozenset((
    "session", "round", "pass", "time", "day", "run", "step", "review", "turn", "list", "batch",
    "part", "iteration", "phase",
))  # fmt: skip
_TO = frozenset(("do", "follow", "come", "be", "review", "read"))
_AFTER = frozenset((
    "yet", "at", "so", "from", "as", "because", "since", "in", "due", "on", "still", "here",
    "this", "now", "of", "to", "until", "till",
))  # fmt: skip
BREAKS = frozenset(
    ("COMMA", "SEMI", "DASH", "OPEN", "CLOSE", "BUT", "CAUSE", "PIPE", "SIGN", "AND")
)
_LONGEST_BRACKETS = 10


def left(at: Wording, subject: Subject, *, reading: bool) -> int:
    """Past a predicate of being left; 0 where there is none."""
    j = subject.last
    if at.tag(j) == "OPEN":
        closing = (
            k + 1
            for k in range(j, min(j + _LONGEST_BRACKETS, len(at.words)))
            if at.tag(k) == "CLOSE"
        )
        j = next(closing, j)
    marked = at.tag(j) in _MARKS
    j += marked
    denied = False
    first = j
    while at.tag(j) in _AUXILIARY or at.word(j) in _COPULA:
        word = at.words[j]
        denied = denied or word.tag == "NOT" or word.text in _DENIALS
        j += 1
    joined = marked or j > first
    if not joined:
        return 0
    end = _predicate(at, j, denied=denied, marked=marked, reading=reading)
    return end if end and closes(at, end) else 0


def _predicate(at: Wording, j: int, *, denied: bool, marked: bool, reading: bool) -> int:
    """Past what is said of the files: "to do", "for the next session", "not read", "0 %"."""
    text = at.word(j)
    after = at.word(j + 1)
    if denied:
        if not text or at.tag(j) in BREAKS:
            return j if reading or marked else 0
        here = text not in _OF_TESTS or after == "yet"
        here = here or (after == "here" and at.tag(j + 2) in (*BREAKS, ""))
        return j + 1 if text in DONE and here else 0
    if text in LEFT and (text != "open" or (after != "to" and (reading or not marked))):
        return j + 1
    if text in DROPPED and ((marked and reading) or after == "from"):
        return j + 1
    if at.word(j - 1) == "left" and (not text or at.tag(j) in BREAKS):
        return j
    if at.tag(j) == "TO" and after in _TO:
        done = at.word(j + 2) in DONE
        return j + 3 if after == "be" and done else 0 if after == "be" else j + 2
    if text in ("for", "in") or at.tag(j) == "PURPOSE":
        ahead = [word.text for word in at.words[j + 1 : j + 5]]
        sessions = [k for k, word in enumerate(ahead) if word in _SESSIONS or word == "later"]
        return j + 2 + sessions[0] if sessions and set(ahead) & _WAITING else 0
    if at.tag(j) == "NO" and (reading or after == "yet"):
        return j + 1 + (after == "yet")
    if at.value(j) == 0 and (at.tag(j + 1) == "PCT" or at.tag(j + 1) in ("SLASH", "OF")):
        return j + 2 if at.tag(j + 1) == "PCT" else j + 3
    return 0


def closes(at: Wording, j: int) -> bool:
    """Whether the clause ends here, but for when, why and where."""
    return not at.tag(j) or at.tag(j) in BREAKS or at.word(j) in _AFTER
