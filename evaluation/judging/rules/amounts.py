"""All, or so many, of the files in scope or in a folder: "all 5 files", "3 of 5", "everything".

Prevents "all the relevant files", "12 records" and "everything that matters" being taken for the
scope.
"""

from __future__ import annotations

from dataclasses import replace

from evaluation.judging.rules.thing import Thing, Wording

_ADJECTIVES = 3
"""Words between a quantifier and its noun."""
_STEPS = 4
"""Places and plain words behind one noun."""
_MODIFIERS = frozenset((
    "W", "ADV", "FIRST", "PLAIN", "PLAINADJ", "LISTED", "FILE", "FILES", "KIND", "WORKTREE", "SET",
    "NUM", "WHOLE", "CODEFILE",
))  # fmt: skip
_ENDS = frozenset((
    "", "COMMA", "SEMI", "FULLY", "PARTLY", "WAS", "HAVE", "CLOSE", "DASH", "SIGN", "PLAIN", "BUT",
))  # fmt: skip
"""Behind "all four" these tell that nothing else is counted."""
_OF_MORE = frozenset((
    "W", "LINE", "SET", "FILE", "FILES", "KIND", "KINDS", "NAME", "OUT", "CODEFILE", "TEXTFILE",
))  # fmt: skip
"""Behind "3 of 5" these tell that something else is counted."""


def amount_at(at: Wording, i: int) -> Thing | None:
    """The amount that begins with word `i`."""
    match at.tag(i):
        case "EVERYTHING":
            return _placed(at, Thing("scope", i, i + 1, every=True), bare=True)
        case "THEM":
            return Thing("scope", i, i + 1, every=True, doubtful=True)
        case "DET" if at.tag(i + 1) in ("NUM", "WHOLE", "FIRST"):
            every = at.value(i + 1) == at.calling.size
            return _counted(at, i, i + 1, every=every) or _set(at, i)
        case "EVERY" | "EVERYONE":
            return _every(at, i)
        case "ADV" if at.word(i) == "both":
            return _both(at, i)
        case "NUM" if at.tag(i + 1) == "PCT":
            noun = at.noun(at.past(i + 2, "OF", "DET"))
            whole = noun and at.value(i) == 100
            kind = noun and not at.calling.takes_all(at.word(noun - 1))
            one = Thing("scope", i, noun, every=True, doubtful=bool(kind))
            return _placed(at, one) if whole else None
        case "NUM":
            share = _of_total(at, at.noun(i + 1) or i + 1)
            return _share(share, i, at.value(i)) if share else _counted(at, i, i, every=False)
        case "WHOLE":
            return _set(at, i)
    return None


def _every(at: Wording, i: int) -> Thing | None:
    j = at.past(i + 1, "OF", "DET", "THEM")
    found = _counted(at, i, j, every=True)
    if found is None and at.value(j) == at.calling.size > 1 and at.tag(j) == "NUM":
        alone = at.tag(j + 1) in _ENDS and any(at.noun(k) for k in range(i))
        return Thing("scope", i, j + 1, every=True, value=at.value(j)) if alone else None
    if found is None:
        in_place = at.calling.folder_at(at.text, at.words[j].start) if at.tag(j) else None
        return _placed(at, Thing("scope", i, j, every=True), bare=True) if in_place else None
    pointed = any(at.tag(k) == "THEM" for k in range(i, j))
    if pointed and found.value != at.calling.size:
        return replace(found, doubtful=True)  # "each of these files"
    return found


def _both(at: Wording, i: int) -> Thing | None:
    """ "Both documents", where there are two of them."""
    found = _counted(at, i, at.past(i + 1, "OF", "DET"), every=True)
    if found is None or found.value is not None:
        return None
    two = at.calling.size == 2 and found.kind == "scope"
    return replace(found, value=2, doubtful=found.doubtful and not two)


def _counted(at: Wording, i: int, j: int, *, every: bool) -> Thing | None:
    """[so many] [adjectives] files, from word `j` on."""
    picked = at.tag(j) == "FIRST" and at.tag(j + 1) == "NUM"
    j += picked  # "the last two files": which ones these are, only their order tells
    value = at.value(j) if at.tag(j) == "NUM" else None
    j += value is not None
    if value is None and not every:
        return None
    if every and value is not None and at.tag(j) == "OF":
        j = at.past(j + 1, "DET")  # "all five of the files"
    share = None if every else _of_total(at, j)
    if share is not None:
        return _share(share, i, value)
    for k in range(j, j + _ADJECTIVES + 1):
        noun = at.noun(k, loose=True)
        if noun and at.noun(noun):
            continue  # "all twelve node logs"
        if noun:
            before = {at.tag(m) for m in range(j, k) if not at.noun(m)}
            restricted = picked or bool(before - {"PLAINADJ", "PLAIN", "LISTED"})
            kind = any(not at.calling.takes_all(at.word(m)) for m in range(j, k + 1))
            restricted = restricted or (kind and every and value != at.calling.size)
            listed = "LISTED" in before
            one = Thing("scope", i, noun, every=every, value=value, doubtful=listed)
            one = _placed(at, one, bare=not at.noun(k))
            within = kind and not picked and _are_of_kind(at, one, range(j, k + 1))
            return replace(one, doubtful=one.doubtful or (restricted and not within))
        if at.tag(k) not in _MODIFIERS:
            return None
    return None


def _are_of_kind(at: Wording, one: Thing, words: range) -> bool:
    """Whether "source files" are all that a folder holds, so that the kind picks none of them."""
    if one.kind != "folder" or one.others:
        return False
    inside = set(at.names.folders[one.path])
    kinds = [at.calling.of_kind(at.word(k)) for k in words]
    narrow = [not at.calling.takes_all(at.word(k)) for k in words]
    return all(inside <= set(kind) for kind, picks in zip(kinds, narrow, strict=True) if picks)


def _of_total(at: Wording, j: int) -> Thing | None:
    """ "of 5 files", "/5", "of the files in docs/": what so many are of."""
    if at.tag(j) not in ("OF", "SLASH"):
        return None
    glued = at.tag(j) == "SLASH"
    j = j + 1 if glued else at.past(j + 1, "DET", "THEM", "EVERY")
    if at.tag(j) != "NUM":
        noun = at.noun(j)
        return _placed(at, Thing("scope", j, noun)) if noun and not glued else None
    total = at.value(j)
    k = at.past(j + 1, "PLAINADJ", "PLAIN")
    noun = at.noun(k, loose=total == at.calling.size)
    alone = total == at.calling.size and k == j + 1 and at.tag(k) not in _OF_MORE
    return _placed(at, Thing("scope", j, noun or j + 1, out_of=total)) if noun or alone else None


def _share(total: Thing, first: int, value: int | None) -> Thing:
    """So many of the total: all of them for "5 of 5"."""
    return replace(total, first=first, value=value, every=value == total.out_of)


def _set(at: Wording, i: int) -> Thing | None:
    """ "the whole folder", "the entire src/shop package"."""
    j = at.past(i, "DET", "PLAINADJ")
    if at.tag(j) != "WHOLE":
        return None
    j = at.past(j + 1, "OF")
    if at.tag(j) == "SET":
        return _placed(at, Thing("scope", i, j + 1, every=True))
    in_place = at.calling.folder_at(at.text, at.words[j].start) if at.tag(j) else None
    return _placed(at, Thing("scope", i, j, every=True), bare=True) if in_place else None


def _placed(at: Wording, thing: Thing, *, bare: bool = False) -> Thing:
    """With the place and the plain words that follow; `bare` is of all that is in a place."""
    for _ in range(_STEPS):
        following = _step(at, thing)
        if following is None:
            break
        bare = bare and at.tag(thing.last) in ("PLAIN", "LISTED", "OPEN")
        thing = following
    if thing.every and thing.kind == "scope" and thing.value == at.calling.size:
        # All of them, whatever they are called; unless of another place.
        return thing if at.tag(thing.last) in ("IN", "OF") else replace(thing, doubtful=False)
    elsewhere = at.tag(thing.last) in ("IN", "OF")
    return replace(thing, doubtful=thing.doubtful or bare or elsewhere)


def _step(at: Wording, thing: Thing) -> Thing | None:
    """One place or plain word further; None where nothing known follows."""
    j = thing.last
    tag = at.tag(j)
    k = at.past(j + 1, "DET", "WHOLE") if tag in ("IN", "OF") else j
    if placed := _in_folder(at, thing, k):
        return placed
    if tag == "IN" and (at.tag(k) == "SET" or (at.word(k) == "it")):
        return replace(thing, last=k + 1)
    if tag in ("IN", "OF") and at.word(k) in at.calling.roots and at.tag(k + 1) == "SET":
        return replace(thing, last=k + 2)  # "in the contracts folder"
    if tag == "OF" and at.tag(k) == "NUM" and at.noun(k + 1):
        return replace(thing, last=k + 2, value=at.value(k))
    if tag == "OPEN" and at.tag(j + 1) == "NUM":
        end = at.noun(j + 2, loose=True) or j + 2
        value = at.value(j + 1) if thing.value is None else thing.value
        return replace(thing, last=end + 1, value=value) if at.tag(end) == "CLOSE" else None
    if tag in ("PLAIN", "LISTED"):
        return replace(thing, last=j + 1, doubtful=thing.doubtful or tag == "LISTED")
    return None


def _in_folder(at: Wording, thing: Thing, k: int) -> Thing | None:
    """The thing as one of the folder whose path begins with word `k`."""
    found = at.calling.folder_at(at.text, at.words[k].start) if at.tag(k) else None
    if found is None:
        return None
    while k < len(at.words) and at.words[k].start < found.end:
        k += 1
    k += at.tag(k) in ("SET", "WORKTREE")
    others: list[str] = []
    while (more := _next_folder(at, k)) is not None:
        others.append(more.path)
        k = more.last
    inside = {path for one in (found.path, *others) for path in at.names.folders[one]}
    if len(inside) == at.calling.size:
        return replace(thing, last=k)
    counted = bool(others) and thing.value is not None
    return replace(
        thing,
        last=k,
        kind="folder",
        path=found.path,
        others=tuple(others),
        doubtful=thing.doubtful or counted,
    )


def _next_folder(at: Wording, k: int) -> Thing | None:
    """The next folder of a list: ", tests/ and docs/"."""
    j = at.past(k, "COMMA", "AND", "DET", "IN")
    return folder_thing(at, j) if j > k else None


def folder_thing(at: Wording, j: int) -> Thing | None:
    """The folder whose path begins with word `j`."""
    if at.tag(j) in ("", "NAME"):
        return None
    found = at.calling.folder_at(at.text, at.words[j].start)
    if found is None:
        return None
    first = j
    while j < len(at.words) and at.words[j].start < found.end:
        j += 1
    return Thing("folder", first, j + (at.tag(j) == "SET"), path=found.path)
