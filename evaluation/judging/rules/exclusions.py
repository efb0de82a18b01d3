"""What "except", "all but", "other than" takes out of an "all"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.statement import Statement, spanning
from evaluation.judging.rules.words import Word

HIDES = frozenset(("FOUND", "ISSUE"))
"""Before an exception, these make it one to the findings: "no issue except in contract-012"."""
_JOINS = frozenset(("AND", "COMMA", "SIGN"))


def exclusions(words: Sequence[Word], spoken: Sequence[Mention]) -> list[Mention]:
    """What "except", "all but", "other than" takes out, where it is in scope."""
    result: list[Mention] = []
    for i, word in enumerate(words):
        if word.tag != "EXCEPT" and not _but(words, spoken, i):
            continue
        if word.text.startswith("exception"):
            continue
        after = [m for m in spoken if i < m.first <= i + 4]
        following = {w.tag for w in words[i + 1 : i + 5]}
        if after:
            group = [after[0]]
            for mention in spoken[spoken.index(after[0]) + 1 :]:
                gap = words[group[-1].last : mention.first]
                if gap and all(w.tag in _JOINS for w in gap):
                    group.append(mention)
                else:
                    break
            result += [m for m in group if m.kind not in ("outside", "content")]
        elif not following & {"OUT", "ISSUE", "IN"} and "W" in following:
            result.append(Mention("definite", i, i + 1))
    return result


def _but(words: Sequence[Word], spoken: Sequence[Mention], i: int) -> bool:
    """Whether "but" excludes: "all contracts but the last six", with no verb after it."""
    if words[i].text != "but":
        return False
    left = any(m.last == i and m.kind == "universal" for m in spoken)
    right = [m for m in spoken if m.first == i + 1]
    return (
        left
        and bool(right)
        and not any(
            w.tag in ("BE", "HAVE", "NOT", "ME", "READ", "DID")
            for w in words[right[0].last : right[0].last + 4]
        )
    )


def exceptions(words: Sequence[Word], spoken: Sequence[Mention]) -> Iterator[Statement]:
    """Exceptions in a sentence of their own ("The only exceptions are contracts 19 to 24")."""
    if any(w.tag in HIDES for w in words):
        return
    for i, word in enumerate(words):
        after = [m for m in spoken if i < m.first <= i + 3 and m.kind != "outside"]
        if word.tag == "EXCEPT" and word.text.startswith("exception") and after:
            yield spanning(
                Statement("unread", after[0], word.start, word.end, exception=True), after[0], words
            )
