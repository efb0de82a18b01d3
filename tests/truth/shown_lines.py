"""Which lines of a corpus stand whole in a raw request, by plain search. Imports nothing of ocb."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

FIRST, LAST = re.compile(r"tk-[0-9a-f]{8}"), re.compile(r"[0-9a-f]{8}-kt")
Lines = frozenset[tuple[str, int]]


class Shown(NamedTuple):
    whole: Lines
    both: Lines  # also those of which only the two tokens stand


def shown_lines(request: bytes, files: Mapping[str, str]) -> Shown:
    text = "\n".join(_strings(json.loads(request)))
    lasts, places, shown = set(LAST.findall(text)), {}, dict[tuple[str, int], bool]()
    for path, content in files.items():
        for number, line in enumerate(content.split("\n"), start=1):
            if first := FIRST.search(line):
                places[first[0]] = (path, number), line, first.start()
    for found in FIRST.finditer(text):
        place, line, at = places[found[0]]
        if LAST.findall(line)[-1] in lasts:
            shown[place] = shown.get(place) or text.startswith(line, found.start() - at)
    return Shown(frozenset(place for place in shown if shown[place]), frozenset(shown))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        try:
            value = json.loads(value) if value.startswith('{"') else ()  # a result may be JSON
        except ValueError:
            return
    inner = value.values() if isinstance(value, dict) else value
    for one in inner if isinstance(value, dict | list) else ():
        yield from _strings(one)
