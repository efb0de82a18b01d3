"""Who did it, and whether it is said as a fact: what the words around a verb make of it.

Prevents a plan, a recommendation, the task's own words or what a contract asks of a supplier being
read as the agent's account; and work by a program being read as reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.judging.rules.verb import Verb
from evaluation.judging.rules.words import Word

LIGHT = frozenset(
    ("AND", "COMMA", "ADV", "SLASH", "HAVE", "NOT", "ONLY", "FULLY", "PARTLY", "SIGN")
)
"""Words that may stand between a verb and its subject, or between two verbs, and change neither."""
_SUBJECTS = frozenset(("ME", "AGENT"))
_FINITE = frozenset(("BE", "HAVE", "FOUND", "W", "MODAL"))


def is_passive(words: Sequence[Word], inside: Sequence[bool], verb: Verb) -> bool:
    if verb.form == "adjective":
        return True
    if verb.form != "past" or verb.tag in ("ME", "HAVE"):
        return False
    tags = [w.tag for w in words[verb.window : verb.first]]
    if "PENDING" in tags and not _SUBJECTS & set(tags):
        return True
    able = any(w.tag == "ABLE" or w.text.endswith(" to") for w in words[verb.window : verb.first])
    if "BE" in tags[-6:] and not able and not _SUBJECTS & set(tags[-2:]):
        return True
    at = verb.first - 1
    while at >= verb.window and words[at].tag in ("ADV", "NOT", "FULLY", "PARTLY", "ONLY", "HAVE"):
        at -= 1
    return at >= verb.window and inside[at] and not _SUBJECTS & set(tags)


def is_marked(words: Sequence[Word], inside: Sequence[bool], verb: Verb) -> bool:
    """Whether a mark joins it to its subject: "contract-001: reviewed", "| a.md | read |"."""
    skipped = (LIGHT - {"AND"}) | {"COLON", "DASH", "PIPE", "YES", "NOPE", "BE", "OPEN"}
    at = verb.first - 1
    while at >= 0 and words[at].tag in skipped:
        at -= 1
    return verb.form == "past" and 0 <= at < verb.first - 1 and inside[at]


def is_own(
    words: Sequence[Word], inside: Sequence[bool], verb: Verb, *, passive: bool, before: Verb | None
) -> bool:
    if verb.form == "adjective":
        return True
    if passive:
        return _by_us(words, verb) and not _happens(words, verb)
    free = [words[i].tag for i in range(verb.window, verb.first) if not inside[i]]
    if verb.tag in ("COVER", "LIMIT"):
        return all(tag in LIGHT for tag in free) or bool(
            {"REVIEW", "REPORTN", "ME", "MY", "AGENT", "COVERAGE"} & set(free)
        )
    if any(words[i].text in ("does", "doesn't") for i in range(verb.window, verb.first)):
        return bool({"REVIEW", "REPORTN", "ME", "AGENT"} & set(free))
    speakers = [tag for tag in free if tag in ("ME", "MY", "AGENT", "OTHER", "PROG")]
    if speakers:
        return speakers[-1] != "OTHER"
    if verb.form == "past":
        at = verb.first - 1
        while at >= verb.window and words[at].tag in LIGHT:
            at -= 1
        if at >= verb.window and not inside[at] and words[at].tag in ("W", "OTHER", "FILE", "DET"):
            return False
        if before is not None and verb.window == before.last:
            return before.own
    return True


def _happens(words: Sequence[Word], verb: Verb) -> bool:
    """Whether it is said of what code does: "12 records are read at startup"."""
    before = words[verb.window : verb.first]
    present = any(word.text in ("is", "are") for word in before)
    plain = not any(word.tag in ("NOT", "PENDING", "HAVE") for word in before)
    told = words[verb.first].text.startswith("reflected")
    return present and plain and not told and verb.tag in ("READ", "SKIP")


def _by_us(words: Sequence[Word], verb: Verb) -> bool:
    """A passive is ours unless "by" names somebody else."""
    after = words[verb.last : verb.last + 6]
    by = next((i for i, w in enumerate(after) if w.tag == "BY"), None)
    if by is None:
        return True
    agent = [w for w in after[by + 1 : by + 5] if w.tag not in ("DET", "NUM", "ADV", "MY")]
    if not agent:
        return True
    ours = agent[0].tag in ("ME", "AGENT", "PROG", "SEARCH", "FOLDER") or agent[0].text.endswith(
        "ing"
    )
    return ours or any(w.tag in ("AGENT", "PROG") for w in agent[:2])


def is_factual(words: Sequence[Word], mood: Sequence[Word], verb: Verb) -> bool:
    tags = [w.tag for w in mood]
    if "PENDING" in tags:
        return True
    if "PLAN" in tags or _is_modal(mood):
        return False
    previous = words[verb.first - 1] if verb.first else None
    if previous is not None and previous.tag == "TO":
        return "ABLE" in tags
    if verb.form == "base":
        return (
            any(tag in ("DID", "ABLE", "NOT", "GETTO") for tag in tags)
            or tags[-1:] == ["ME"]
            or (verb.tag == "SEARCH" and "DET" in tags)
        )
    if verb.form == "gerund" and previous is not None:
        return previous.text not in ("am", "i'm", "is", "are", "we're")
    return True


def _is_modal(mood: Sequence[Word]) -> bool:
    """Whether it is only possible or wished for; "not all could be read" tells what was done."""
    modals = {w.text for w in mood if w.tag == "MODAL"}
    not_all = any(w.tag == "SOME" and w.text.startswith("not ") for w in mood)
    return bool(modals) and not (not_all and modals <= {"could"})


def with_instrument(words: Sequence[Word], verb: Verb) -> Verb:
    """Reviewing "with a script" or "by keyword search" is work by a program, or a search."""
    if verb.act not in ("read", "program") or verb.tag in ("PARSE", "COVERAGE", "WEAKSCOPE"):
        return verb
    end = verb.last
    while end < len(words) and not _ends_instrument(words, end):
        end += 1
    around = words[verb.window : end]
    if any(w.tag == "PROG" for w in around):
        return replace(verb, act="program")
    tools = [
        i for i in range(verb.last, min(end, len(words)))
        if words[i].tag == "SEARCH" and words[i - 1].tag in ("BY", "VIA", "RUNV", "DET", "W")
    ]  # fmt: skip
    if tools:
        return replace(verb, act="search")
    return replace(verb, act="read")


def _ends_instrument(words: Sequence[Word], i: int) -> bool:
    word = words[i]
    if word.tag == "COMMA":
        return i + 1 >= len(words) or words[i + 1].text not in ("using", "by", "with", "via")
    other_run = word.tag == "RUNV" and word.text != "using"
    return other_run or word.tag in ("SEMI", "CONTRAST", "AND", "COLON")


def serves(words: Sequence[Word], verb: Verb, before: Verb) -> bool:
    """Whether the work is the program's: "ran a script that checked all 24", "grep to search"."""
    between = {w.tag for w in words[before.last : verb.first]}
    machine = before.act in ("program", "search") and verb.act in ("read", "search")
    machine = machine and not verb.negated
    return machine and not between & {"AND", "COMMA", "ME", "SEMI", "CONTRAST"}


def restricts(words: Sequence[Word], verb: Verb) -> bool:
    """Whether it picks the files and states nothing: "all contracts reviewed contain ..."."""
    if not verb.passive or verb.form != "past":
        return False
    if any(w.tag == "BE" for w in words[verb.window : verb.first]):
        return False
    return verb.last < len(words) and words[verb.last].tag in _FINITE
