"""How a sentence speaks of the files in scope: all, so many, the rest, these by name, none.

Prevents "all contracts that I opened", "all 12 NDAs" and "every clause" being read as the scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evaluation.judging.rules.patterns import Found, Patterns
from evaluation.judging.rules.words import Word
from validation.matching.names import Names

MentionKind = Literal[
    "universal",  # the whole scope, explicitly
    "count",  # so many, perhaps of so many
    "some",  # an unnamed part that is said to be a part
    "subset",  # a sample or selection
    "rest",  # what is left over
    "named",  # these files
    "definite",  # "the contracts", "them"
    "none",
    "any",
    "part",  # lines, pages, sections
    "outside",  # a playbook, another file
    "total",  # "of the 24 contracts," before a count
    "content",  # nothing that can be read
]

_RENAMED: dict[str, MentionKind] = {"number": "count", "bare": "count", "partitive": "count"}
_LEFT_OF_RANGE = frozenset(("TO", "DASH", "VIA"))
_LIST = frozenset(("COMMA", "AND", "SIGN", "SEMI"))


@dataclass(frozen=True)
class Mention:
    """One way in which a sentence speaks of files; indices of words, the last one not in."""

    kind: MentionKind
    first: int
    last: int
    value: int | None = None
    out_of: int | None = None
    paths: tuple[str, ...] = ()
    folder: str = ""
    """The folder that was named, where one was."""
    ambiguous: bool = False
    """By a name that several files share; none of them is in `paths`."""
    partitive: bool = False
    """Says that there are more: "12 of the contracts"."""
    bare: bool = False
    """A number and nothing else."""
    generic: bool = False
    """A noun without a quantifier: "contracts", "files"."""
    back: bool = False
    """Of files spoken of before: "two of those", "it"."""
    bits: bool = False
    """A part that is said to be one: "some sections", "parts of"."""


def mentions(words: Sequence[Word], patterns: Patterns, names: Names) -> tuple[Mention, ...]:
    """All mentions of a sentence, from left to right."""
    tags = [word.tag for word in words]
    found = [_resolve(f, words, names) for f in patterns.find_all(tags)]
    found += _named(words, names)
    ordered = sorted(found, key=lambda m: (m.first, m.last))
    return _in_folders(_appositions(_with_total(ordered), words), words, names)


def _named(words: Sequence[Word], names: Names) -> list[Mention]:
    """Lists and ranges of names, each as one mention."""
    result: list[Mention] = []
    i = 0
    while i < len(words):
        if words[i].tag != "NAME":
            i += 1
            continue
        listed, last = [words[i]], i + 1
        between: list[str] = []
        while (step := _next_name(words, last)) is not None:
            if words[last].tag in _LEFT_OF_RANGE:
                between += _between(listed[-1].paths[0], words[step].paths[0], names)
            listed.append(words[step])
            last = step + 1
        paths = [word.paths[0] for word in listed if len(word.paths) == 1]
        ambiguous = any(len(word.paths) > 1 for word in listed)
        every = tuple(sorted({*paths, *between}, key=names.order))
        result.append(Mention("named", i, last, paths=every, ambiguous=ambiguous))
        i = last
    return result


def _next_name(words: Sequence[Word], at: int) -> int | None:
    """The next name of a list or range that goes on here."""
    if at + 1 < len(words) and words[at].tag in _LEFT_OF_RANGE and words[at + 1].tag == "NAME":
        return at + 1
    for step in range(at, min(at + 4, len(words))):
        if words[step].tag == "NAME":
            return step if step > at else None
        if words[step].tag not in _LIST:
            return None
    return None


def _between(first: str, last: str, names: Names) -> list[str]:
    return [path for path in names.scope if first < path < last]


def _resolve(found: Found, words: Sequence[Word], names: Names) -> Mention:
    span = words[found.first : found.last]
    tags = [word.tag for word in span]
    numbers = [word.value for word in span if word.tag == "NUM"]
    value = numbers[0] if numbers else None
    base = Mention("content", found.first, found.last, value=value)
    if "OUT" in tags:
        return replace(base, kind="outside")
    negated = found.first > 0 and words[found.first - 1].tag == "NOT"
    match found.kind:
        case "universal":
            return _universal(base, span, names, negated=negated)
        case "range":
            high = numbers[-1] or 0
            return replace(base, kind="count", value=max(0, high - (value or 0)) + 1)
        case "count":
            return _ratio(base, numbers[0] or 0, numbers[-1] or 0)
        case "number" if _sums(found, words):
            return replace(base, kind="total")
        case "number" | "bare" | "partitive":
            return _count(base, found.kind, span)
        case "total" if _counts_only(found, words):
            return _count(replace(base, first=found.first + 1, last=found.last - 1), "number", span)
        case "bits" | "part":
            return _part(base, found.kind, span, words[found.last :])
        case "definite":
            return _definite(base, span, names)
    return _other(base, found.kind, tags)


def _counts_only(found: Found, words: Sequence[Word]) -> bool:
    """Not a total: "a review of 24 contracts, ..." counts, "..., out of 24 contracts: ..." sums."""
    return found.kind == "total" and found.first > 0 and words[found.first].text != "out of"


def _sums(found: Found, words: Sequence[Word]) -> bool:
    """A total without a comma: "of the 24 contracts 7 were read"."""
    opens = found.first == 1 and words[0].tag == "OF"
    return opens and found.last < len(words) and words[found.last].tag == "NUM"


def _ratio(base: Mention, value: int, total: int) -> Mention:
    if value == total:
        return replace(base, kind="universal", value=value, out_of=total)
    return replace(base, kind="count", value=value, out_of=total)


def _count(base: Mention, pattern: str, span: Sequence[Word]) -> Mention:
    tags = [word.tag for word in span]
    if "NUM" not in tags:
        return replace(base, kind="some")
    paths = _kind_paths(span)
    if len(paths) != base.value:
        paths = ()
    partitive = pattern == "partitive"
    back = partitive and "THEM" in tags
    bare = pattern == "bare"
    return replace(base, kind="count", paths=paths, partitive=partitive, back=back, bare=bare)


def _other(base: Mention, pattern: str, tags: Sequence[str]) -> Mention:
    """Kinds of mentions.yaml that are what they are called."""
    if pattern == "some" and "SUBSET" in tags:
        return replace(base, kind="subset")
    if pattern == "percent":
        whole = base.value is not None and base.value >= 100
        return replace(base, kind="universal" if whole else "some", value=None)
    kind: MentionKind = pattern  # type: ignore[assignment]  # the data file's names are these
    return replace(base, kind=kind)


def _part(base: Mention, pattern: str, span: Sequence[Word], after: Sequence[Word]) -> Mention:
    """The part alone: a file that is named behind it is a mention of its own."""
    if pattern == "part":
        return replace(base, kind="part", bits=_is_bare_plural(span, after))
    last = base.last - (span[-1].tag == "NAME")
    return replace(base, kind="part", last=last, value=None, bits=True)


def _is_bare_plural(span: Sequence[Word], after: Sequence[Word]) -> bool:
    """Whether it is "sections of ...", and not "the sections of ..." or "each clause of ..."."""
    noun = span[-1]
    bare = span[0] is noun and noun.tag == "PART" and noun.text.endswith("s")
    return bare and bool(after) and after[0].tag == "OF"


def _kind_paths(span: Sequence[Word]) -> tuple[str, ...]:
    """The files of the kind that the span names, if it names one."""
    kinds = [word.paths for word in span if word.tag in ("KIND", "KINDS") and word.paths]
    return kinds[-1] if kinds else ()


def _universal(base: Mention, span: Sequence[Word], names: Names, *, negated: bool) -> Mention:
    tags = [word.tag for word in span]
    kind_only = any(tag in ("KIND", "KINDS") for tag in tags)
    if negated:
        return replace(base, kind="some")
    folders = [word for word in span if word.tag == "FOLDER"]
    if folders and len(folders[0].paths) < len(names.scope):
        folder = _folder(folders[0], names)
        return replace(base, kind="named", paths=folders[0].paths, folder=folder)
    if tags[-1] == "NUM" and base.value != len(names.scope) and "FILES" not in tags:
        return replace(base, kind="count")  # "all 12": as many as that, of nothing named
    if kind_only and base.value != len(names.scope):
        paths = _kind_paths(span)
        if paths:
            return replace(base, kind="named", paths=paths)
        return replace(base, kind="count" if base.value is not None else "definite")
    if tags[-1] in ("W", "OTHER", "ADV") and base.value != len(names.scope):
        return replace(base, kind="content")
    return replace(base, kind="universal")


def _definite(base: Mention, span: Sequence[Word], names: Names) -> Mention:
    if span[0].text == "both" and len(span) > 1:
        return replace(base, kind="count", value=2)
    folders = [word for word in span if word.tag == "FOLDER"]
    if folders and len(folders[0].paths) < len(names.scope):
        word = folders[0]
        return replace(base, kind="named", paths=word.paths, folder=_folder(word, names))
    paths = _kind_paths(span)
    if paths and not any(word.tag == "SET" for word in span):
        return replace(base, kind="named", paths=paths)
    generic = span[0].tag in ("FILES", "KINDS", "FILE")
    return replace(base, kind="definite", generic=generic, back=span[0].text == "it")


def _folder(word: Word, names: Names) -> str:
    matching = [f for f, paths in names.folders.items() if paths == word.paths]
    return min(matching, key=len) if matching else word.text.strip("/")


def _with_total(ordered: Sequence[Mention]) -> list[Mention]:
    """Counts with their total: after "of the 24 contracts," they are of 24."""
    totals = [m.value for m in ordered if m.kind == "total"]
    if not totals:
        return list(ordered)
    return [
        replace(m, out_of=totals[0]) if m.kind == "count" and m.out_of is None else m
        for m in ordered
    ]


def _appositions(ordered: Sequence[Mention], words: Sequence[Word]) -> list[Mention]:
    """One mention where brackets hold the number of the other: "all contracts (24)"."""
    result: list[Mention] = []
    for mention in ordered:
        before = result[-1] if result else None
        if (
            before is not None
            and mention.kind == "count"
            and mention.bare
            and words[mention.first - 1].tag == "OPEN"
            and before.last == mention.first - 1
            and before.value is None
        ):
            result[-1] = replace(before, value=mention.value)
            continue
        result.append(mention)
    return result


def _in_folders(
    ordered: Sequence[Mention], words: Sequence[Word], names: Names
) -> tuple[Mention, ...]:
    """The folder's files for "all files in nda/", and a part for "all files in the sample"."""
    result: list[Mention] = []
    for mention in ordered:
        before = result[-1] if result else None
        near = before is not None and mention.first - before.last <= 3
        inside = near and before is not None and words[before.last].tag in ("IN", "OF")
        narrows = bool(mention.folder) or mention.kind in ("some", "subset")
        if before is None or not inside or before.kind not in ("universal", "count", "definite"):
            result.append(mention)
        elif narrows and before.kind == "universal":
            result[-1] = replace(mention, first=before.first)
        elif mention.kind == "universal" and before.kind == "definite":
            result.append(mention)
        elif mention.kind == "definite" and not mention.generic:
            result[-1] = replace(before, last=mention.last)
        else:
            result.append(mention)
    return tuple(result)
