"""What is done to sessions that are fuzzed: field by field, at random, and many times over."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.evaluation.transcripts.fuzz_seeds import Files

HUGE = "@huge@"
"""Stands for a number that no float can hold."""
DEEP = "@deep@"
VERY_DEEP = "@very deep@"
RAW = {HUGE: "1e400", DEEP: "[" * 100 + "]" * 100, VERY_DEEP: '{"a":' * 3000 + "1" + "}" * 3000}
"""What cannot be written from a value: put in afterwards."""
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1 << 70, HUGE, "", "x", "main", "../a/b", "\ud83d\0", [], {}, [[None]]),
    *({"type": {}}, [{"type": []}], DEEP, VERY_DEEP),
)
JUNK = (
    *(b"", b"\0", b"\xff\xfe", b"\\ud83d", b"NaN", b"null", b"{}", b"[]", b'"', b"\n", b"}{"),
    *(b"1e400", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\\u0000", b"[" * 5000, b'{"a":' * 500),
)
MOST_ALIKE = 1
"""Rows of one kind in which a field is replaced."""
GROWN = 10_000_000
"""Bytes of one row, many times over."""


def written(values: Sequence[Any]) -> bytes:
    text = "".join(json.dumps(value) + "\n" for value in values)
    for mark, raw in RAW.items():
        text = text.replace(json.dumps(mark), raw)
    return text.encode()


def rows_of(data: bytes) -> list[Any]:
    """The rows of a file, or its one document; none of one that is no JSON."""
    try:
        return [json.loads(data)]
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in data.split(b"\n") if line]
    except (ValueError, RecursionError):
        return []


Way = tuple[Any, ...]


def ways(value: Any, way: Way = ()) -> Iterator[tuple[Way, str]]:
    """Every place in a value, with a name that is the same for places of one kind."""
    for step, named, inner in steps_into(value):
        for end, name in ways(inner, (*way, step)):
            yield end, f"{named}{name}"
    if way:
        yield way, ""


def steps_into(value: Any) -> Iterator[tuple[Any, str, Any]]:
    """What a value holds, with the step to it. A text that is JSON itself is gone into."""
    if isinstance(value, dict):
        kind = f"({value['type']})" if isinstance(value.get("type"), str) else ""
        yield from ((key, f"{kind}.{key}", inner) for key, inner in value.items())
    elif isinstance(value, list):
        yield from ((place, "[]", inner) for place, inner in enumerate(value))
    elif isinstance(value, str) and value[:1] in ("{", "["):
        yield from ((None, "<json>", inner) for inner in rows_of(value.encode(errors="replace")))


def replaced(value: Any, way: Way, odd: Any) -> Any:
    """A copy with an odd value in one place."""
    if not way:
        return odd
    step, *rest = way
    if step is None:
        return written([replaced(json.loads(value), tuple(rest), odd)]).decode().rstrip("\n")
    copy = value.copy()
    copy[step] = replaced(value[step], tuple(rest), odd)
    return copy


def systematic(files: Files) -> Iterator[tuple[Files, str]]:
    """Every place of every kind with every odd value."""
    for name, data in files.items():
        rows = rows_of(data)
        seen: Counter[str] = Counter()
        for place, row in enumerate(rows):
            for way, kind in ways(row):
                seen[kind] += 1
                if seen[kind] > MOST_ALIKE:
                    continue
                for odd in ODD:
                    changed = [*rows[:place], replaced(row, way, odd), *rows[place + 1 :]]
                    yield {**files, name: written(changed)}, f"{name} {kind} = {odd!r:.40}"
                if isinstance(way[-1], str):
                    changed = [*rows[:place], _without(row, way), *rows[place + 1 :]]
                    yield {**files, name: written(changed)}, f"{name} {kind} left out"


def _without(value: Any, way: Way) -> Any:
    step, *rest = way
    if step is None:
        return written([_without(json.loads(value), tuple(rest))]).decode().rstrip("\n")
    copy = value.copy()
    if rest:
        copy[step] = _without(value[step], tuple(rest))
    else:
        del copy[step]
    return copy


def grown(files: Files) -> Iterator[tuple[Files, str]]:
    """Every kind of row many times over, as it is and under new ids: nothing may cost a square."""
    for name, data in files.items():
        rows = rows_of(data)
        kinds = {str([kind for _, kind in ways(row)]): row for row in rows}
        for place, row in enumerate(kinds.values() if len(rows) > 1 else ()):
            times = GROWN // len(written([row]))
            for renamed in (False, True):
                many = (_renamed(row, n) if renamed else row for n in range(times))
                changed = written([*rows[:-1], *many, rows[-1]])
                yield {**files, name: changed}, f"{name} kind {place}, {times} times"


def _renamed(value: Any, number: int) -> Any:
    if isinstance(value, dict):
        return {
            key: f"{inner}-{number}"
            if isinstance(inner, str) and key.lower().endswith(("id", "ref"))
            else _renamed(inner, number)
            for key, inner in value.items()
        }
    return [_renamed(inner, number) for inner in value] if isinstance(value, list) else value


def damaged(files: Files, chance: random.Random) -> tuple[Files, str]:
    """One to four things done at random."""
    changed = dict(files)
    done: list[str] = []
    for _ in range(chance.randint(1, 4)):
        name = chance.choice(list(changed))
        way = chance.choice(WAYS)
        changed[name] = way(changed[name], chance)
        done.append(f"{way.__name__} {name}")
    if len(changed) > 1 and chance.random() < 0.1:
        lost = chance.choice(list(changed))
        del changed[lost]
        done.append(f"without {lost}")
    return changed, ", ".join(done)


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def spliced(data: bytes, chance: random.Random) -> bytes:
    first = chance.randint(0, len(data))
    last = chance.randint(first, min(len(data), first + chance.choice((0, 1, 8, 200, 5000))))
    return data[:first] + chance.choice(JUNK) + data[last:]


def flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 4, 64)) if data else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def zeroed(data: bytes, chance: random.Random) -> bytes:
    """A page, as of a disk that was not written to its end."""
    page = 4096 if len(data) > 8192 else 64
    first = chance.randint(0, len(data) // page) * page
    return data[:first] + b"\0" * len(data[first : first + page]) + data[first + page :]


def swapped(data: bytes, chance: random.Random) -> bytes:
    """Rows in another order, some of them again, some not at all."""
    rows = data.split(b"\n")
    for _ in range(chance.choice((1, 3, 20))):
        one, other = chance.randrange(len(rows)), chance.randrange(len(rows))
        match chance.randrange(3):
            case 0:
                rows[one], rows[other] = rows[other], rows[one]
            case 1:
                rows.insert(one, rows[other])
            case 2 if len(rows) > 1:
                del rows[one]
    return b"\n".join(rows)


def joined(data: bytes, chance: random.Random) -> bytes:
    """Some rows without the LF between them."""
    rows = data.split(b"\n")
    return b"".join(row + (b"" if chance.random() < 0.1 else b"\n") for row in rows)


def odd(data: bytes, chance: random.Random) -> bytes:
    """Several fields with odd values, or with each other's."""
    rows = rows_of(data)
    if not rows:
        return spliced(data, chance)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(rows))
        found = [way for way, _ in itertools.islice(ways(rows[place]), 5_000)]
        if not found:
            continue
        value = chance.choice(ODD)
        if chance.random() < 0.3:
            value = _at(rows[place], chance.choice(found))
        rows[place] = replaced(rows[place], chance.choice(found), value)
    return written(rows)


def _at(value: Any, way: Way) -> Any:
    for step in way:
        value = json.loads(value) if step is None else value[step]
    return value


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(cut, spliced, spliced, flipped, zeroed, swapped, swapped, joined, odd, odd, odd),
)
