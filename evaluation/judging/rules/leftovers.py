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
    "this", "now", "of",
))  # fmt: skip
_BREAKS = frozenset(("COMMA", "SEMI", "DASH", "OPEN", "CLOSE", "BUT", "CAUSE", "PIPE", "SIGN", "AND"))
_LONGEST_HEAD = 10
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
        found = (
            _said_left(at, start, reading=reading)
            or (reading and _contrasted(at, start))
            or _only_so_far(at, start)
            or _planned(at, start)
            or _denied_kind(at, start)
        )
        if found:
            yield found
            return


def _gap(at: Wording, start: int, end: int, paths: tuple[str, ...] = ()) -> Gap:
    return Gap(paths, at.words[start].start, at.words[min(end, len(at.words)) - 1].end)


def _said_left(at: Wording, i: int, *, reading: bool) -> Gap | None:
    """ "guide.md is still to do", "the others I didn't"."""
    opening = i
    while at.tag(opening) and at.words[opening].text in ("as", "for", "regarding", "concerning"):
        opening += 1
    subject = _subject(at, opening)
    if subject is None:
        return None
    end = _left(at, subject, reading=reading) or (reading and _elided(at, subject.last))
    return _gap(at, i, end, subject.paths) if end else None


def _contrasted(at: Wording, i: int) -> Gap | None:
    """ "..., not store.py or util.py"."""
    if at.tag(i) != "NOT" or at.tag(i - 1) != "COMMA":
        return None
    subject = _subject(at, i + 1)
    closed = subject is not None and bool(subject.paths) and _closes(at, subject.last)
    return _gap(at, i, subject.last, subject.paths) if subject and closed else None


def _only_so_far(at: Wording, i: int) -> Gap | None:
    """ "I've read only the first", "no, only app.py", "for store.py I only listed the names"."""
    j = at.past(i, "NO", "COMMA", "DASH") if at.tag(i) == "NO" else i
    if j > i and at.tag(j) == "ONLY":
        subject = _subject(at, j + 1)
        return _gap(at, i, subject.last) if subject and _closes(at, subject.last) else None
    if at.tag(i) in ("IN", "OF", "PURPOSE") or at.words[i].text in ("for", "about", "concerning"):
        subject = _subject(at, i + 1)
        j = at.past(subject.last, "COMMA") if subject else i
        k = at.past(j + 1, "HAVE")
        told = subject is not None and bool(subject.paths) and at.tag(j) == "ME"
        if subject is not None and told and at.tag(k) == "ONLY":
            return _gap(at, i, len(at.words), subject.paths)._replace(depth=True)
    if at.tag(i) == "ME" or at.tag(i) == "OF":
        me = next((k for k in range(i, min(i + 4, len(at.words))) if at.tag(k) == "ME"), None)
        k = at.past(me + 1, "HAVE", "ADV") if me is not None else i
        pair = {at.tag(k), at.tag(k + 1)}
        m = at.past(k + 2, "DET")
        if pair == {"READ", "ONLY"} and at.tag(m) == "FIRST" and not _goes_on(at, m + 1):
            return _gap(at, i, m + 1)
    return None


def _goes_on(at: Wording, j: int) -> bool:
    return bool(at.tag(j)) and at.tag(j) not in _BREAKS


def _planned(at: Wording, i: int) -> Gap | None:
    """ "Read next: store.py, util.py", "To read: c.md"."""
    j = at.past(i, "READ", "READBASE", "TO")
    later = any(at.tag(k) and at.words[k].text in ("next", "later", "to") for k in range(i, j + 1))
    j += bool(at.tag(j)) and at.words[j].text in ("next", "later")
    verb = any(at.tag(k) in ("READ", "READBASE") for k in range(i, j))
    if not (verb and later and at.tag(j) == "COLON"):
        return None
    subject = _subject(at, j + 1)
    closed = subject is not None and bool(subject.paths) and _closes(at, subject.last)
    return _gap(at, i, subject.last, subject.paths) if subject and closed else None


def _denied_kind(at: Wording, i: int) -> Gap | None:
    """ "I've not read any code"."""
    if at.tag(i) != "ME":
        return None
    j = at.past(i + 1, "HAVE", "DID", "NOT", "ADV")
    denied = any(at.tag(k) == "NOT" for k in range(i, j))
    if not denied or at.tag(j) not in ("READ", "READBASE"):
        return None
    k = at.past(j + 1, "DET")
    k += bool(at.tag(k)) and at.words[k].text in ("any", "either")
    kind = at.calling.of_kind(at.words[k].text) if at.tag(k) else ()
    return _gap(at, i, k + 1, kind) if kind and _closes(at, k + 1) else None


def under_head(head: Wording, at: Wording) -> Gap | None:
    """ "Not started" under "docs/", "I have not opened these" under a list's head."""
    paths = _paths_in(head)
    if not paths or not at.words:
        return None
    last = len(at.words)
    j = at.past(0, "ME", "HAVE", "NOT", "DID", "NO", "ADV", "WAS", "YES")
    j += bool(at.tag(j)) and at.calling.is_file(at.words[j].text)
    denied = any(at.tag(k) in ("NOT", "NO") for k in range(j))
    if denied:
        j = at.past(j, "READ", "READBASE")
        while j < last and (at.tag(j) in ("THEM", "SIGN") or at.words[j].text in _DONE):
            j += 1
    elif last and at.words[0].text in _LEFT | _DROPPED:
        j = at.past(1, "SIGN")
    return _gap(at, 0, last, paths) if j == last and (denied or j) else None


def _paths_in(head: Wording) -> tuple[str, ...]:
    """The files that a short heading names, by folder, kind or name."""
    if len(head.words) > _LONGEST_HEAD:
        return ()
    for i in range(len(head.words)):
        subject = _subject(head, i)
        if subject is not None and subject.paths:
            return subject.paths
    return ()


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
    if at.tag(j) == "OPEN":
        closing = (k + 1 for k in range(j, min(j + _LONGEST_HEAD, len(at.words))) if at.tag(k) == "CLOSE")
        j = next(closing, j)
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
        here = text not in _OF_TESTS or after in ("here", "yet")
        return j + 1 if text in _DONE and here else 0
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
    """ "The others I didn't.", "store.py I have not", "util.py I never opened." """
    if at.tag(j) != "ME":
        return 0
    k = at.past(j + 1, "HAVE", "DID", "NOT", "NEVER", "ADV")
    denied = any(at.tag(m) in ("NOT", "NEVER") for m in range(j + 1, k))
    k = at.past(k, "READ", "READBASE")
    return k if denied and (not at.tag(k) or at.tag(k) in _BREAKS) else 0


def _closes(at: Wording, j: int) -> bool:
    """Whether the clause ends here, but for when, why and where."""
    return not at.tag(j) or at.tag(j) in _BREAKS or at.words[j].text in _AFTER
