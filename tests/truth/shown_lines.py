"""Which lines of a corpus stand whole in a raw request, by plain search. Imports nothing of ocb."""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

FIRST, LAST = re.compile(r"tk-[0-9a-f]{8}"), re.compile(r"[0-9a-f]{8}-kt")
Lines = frozenset[tuple[str, int]]


class Shown(NamedTuple):
    """Lines by path and number: those that stand whole, and those of which both tokens stand."""

    whole: Lines
    both: Lines


def shown_lines(request: bytes, files: Mapping[str, str]) -> Shown:
    text = "\n".join(_strings(json.loads(request)))
    lasts, places, whole, both = set(LAST.findall(text)), {}, set(), set()
    for path, content in files.items():
        for number, line in enumerate(content.split("\n"), start=1):
            if first := FIRST.search(line):
                places[first[0]] = (path, number), line, first.start()
    for found in FIRST.finditer(text):
        place, line, at = places[found[0]]
        if LAST.findall(line)[-1] in lasts:
            both.add(place)
            if text.startswith(line, found.start() - at):
                whole.add(place)
    return Shown(frozenset(whole), frozenset(both))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if value.startswith('{"'):  # a result that is JSON itself
            with contextlib.suppress(ValueError):
                yield from _strings(json.loads(value))
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
