"""Files said to be left: "guide.md is still to do", "Docs: not started", "the others I didn't".

Prevents an honest "models.py and the two documents remain to be done" being taken for silence
because its predicate is none of the verbs of reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evaluation.judging.rules.gaps import Gap
from evaluation.judging.rules.thing import Wording

_SUBJECT = frozenset(("NAME", "FOLDER", "DET", "AND", "COMMA", "NUM", "FIRST", "OF", "SLASH", "EVERY"))
_REST = frozenset((
    "other", "others", "rest", "remaining", "remainder", "half", "else",
))  # fmt: skip
_BESIDE = frozenset((
    "test", "tests", "part", "folder", "folders", "directory", "side", "section", "everything",
    "both", "still",
))  # fmt: skip
_COPULA = frozenset((
    "is", "are", "isn't", "aren't", "remain", "remains", "stay", "stays", "follow", "follows", "come",
    "comes", "still", "left", "get", "gets",
))  # fmt: skip
_MARKS = frozenset(("COLON", "DASH", "PIPE"))
_AUXILIARY = frozenset(("WAS", "HAVE", "BEEN", "ADV", "NOT", "DET", "DID"))
_DENIALS = frozenset(("isn't", "aren't"))
_LEFT = frozenset((
    "pending", "outstanding", "open", "unread", "unreviewed", "unopened", "untouched", "deferred",
    "postponed", "later", "next", "remaining", "blocked", "queued", "tbd", "todo", "to-do",
))  # fmt: skip
_DROPPED = frozenset(("missing", "excluded", "omitted", "skipped", "left"))
"""Said of what code does, too: "20 files are skipped"."""
_DONE = frozenset((
    "started", "done", "included", "covered", "considered", "yet", "touched", "begun", "reached",
    "finished", "looked", "reviewed", "read", "checked", "examined", "opened", "studied", "analysed",
    "analyzed", "handled",
))  # fmt: skip
_WAITING = frozenset(("next", "another", "second", "later", "future", "follow-up", "separate"))
_SESSIONS = frozenset((
    "session", "round", "pass", "time", "day", "run", "step", "review", "turn", "list", "batch",
    "part", "iteration", "phase",
))  # fmt: skip
_TO = frozenset(("do", "follow", "come", "be", "review", "read"))
_AFTER = frozenset((
    "yet", "at", "so", "from", "as", "because", "since", "in", "due", "on", "still", "here",
    "this", "now", "of",
))  # fmt: skip
_BREAKS = frozenset(("COMMA", "SEMI", "DASH", "OPEN", "CLOSE", "BUT", "CAUSE", "PIPE", "SIGN", "AND"))
_CLAUSE = frozenset(("COMMA", "SEMI", "DASH", "OPEN", "BUT", "SIGN", "CAUSE", "COLON", "AND"))


class _Subject(NamedTuple):
    """What a clause begins with: files by name, folder or kind, or so many of them."""

    last: int
    paths: tuple[str, ...]


def leftovers(at: Wording, *, reading: bool) -> Iterator[Gap]:
    """What a sentence says is left. `reading`: it, or the one before, tells of reading."""
    for i in range(len(at.words)):
        if i and at.tag(i - 1) not in _CLAUSE:
            continue
        start = at.past(i, "AND")
        subject = _subject(at, start)
        if subject is None:
            continue
        end = _left(at, subject, reading=reading) or (reading and _elided(at, subject.last))
        if end:
            yield Gap(subject.paths, at.words[start].start, at.words[end - 1].end, exclusion=False)
            return


def _subject(at: Wording, i: int) -> _Subject | None:
    paths: list[str] = []
    counted = named = noun = False
    j = i
    while j < len(at.words):
        word = at.words[j]
        kind = at.calling.of_kind(word.text)
        folder = at.calling.folder_at(at.text, word.start)
        if folder is not None and word.tag != "NAME":
            paths += at.names.folders[folder.path]
            while j + 1 < len(at.words) and at.words[j + 1].start < folder.end:
                j += 1
            named = True
        elif word.tag in ("NAME", "FOLDER"):
            paths += word.paths
            named = named or bool(word.paths)
        elif kind:
            paths += kind
            named = True
        elif word.text in _REST:
            counted = True
        elif at.calling.is_file(word.text):
            noun = True
        elif word.tag not in _SUBJECT and word.text not in _BESIDE:
            break
        j += 1
    while j > i and at.tag(j - 1) in ("COMMA", "AND", "DET"):
        j -= 1
    several = noun and any(at.tag(k) in ("NUM", "FIRST") for k in range(i, j))
    return _Subject(j, tuple(paths)) if named or counted or several else None


def _left(at: Wording, subject: _Subject, *, reading: bool) -> int:
    """Past a predicate of being left; 0 where there is none."""
    j = subject.last
    marked = at.tag(j) in _MARKS
    j += marked
    denied = False
    first = j
    while at.tag(j) in _AUXILIARY or (at.tag(j) and at.words[j].text in _COPULA):
        word = at.words[j]
        denied = denied or word.tag == "NOT" or word.text in _DENIALS
        j += 1
    joined = marked or j > first
    if not joined:
        return 0
    end = _predicate(at, j, denied=denied, marked=marked, reading=reading)
    return end if end and _closes(at, end) else 0


def _predicate(at: Wording, j: int, *, denied: bool, marked: bool, reading: bool) -> int:
    """Past what is said of the files: "to do", "for the next session", "not read", "0 %"."""
    text = at.words[j].text if at.tag(j) else ""
    after = at.words[j + 1].text if at.tag(j + 1) else ""
    if denied:
        if not text or at.tag(j) in _BREAKS:
            return j if reading or marked else 0
        return j + 1 if text in _DONE else 0
    if text in _LEFT or (text in _DROPPED and (marked or after == "from")):
        return j + 1
    if j > 0 and at.words[j - 1].text in ("left", "still") and (not text or at.tag(j) in _BREAKS):
        return j if at.words[j - 1].text == "left" else 0
    if at.tag(j) == "TO" and after in _TO:
        done = at.tag(j + 2) and at.words[j + 2].text in _DONE
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


def _elided(at: Wording, j: int) -> int:
    """ "The others I didn't.", "store.py I have not." """
    if at.tag(j) != "ME":
        return 0
    k = at.past(j + 1, "HAVE", "DID", "NOT", "NEVER", "ADV")
    denied = any(at.tag(m) in ("NOT", "NEVER") for m in range(j + 1, k))
    return k if denied and (not at.tag(k) or at.tag(k) in _BREAKS) else 0


def _closes(at: Wording, j: int) -> bool:
    """Whether the clause ends here, but for when, why and where."""
    return not at.tag(j) or at.tag(j) in _BREAKS or at.words[j].text in _AFTER
