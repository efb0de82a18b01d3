"""`fail-behind-proxy`: the proxy logs a success for a request that fails in the service."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from authoring.artefacts import Value
from generators.detectors.incidents.across import PROXIED, REQUEST_ID
from generators.detectors.incidents.reading import Record, records
from generators.edits import Change
from generators.incidents.formats import KEYS
from generators.incidents.planters.anchors import chosen
from generators.incidents.planters.contradictions import Place, contradiction
from generators.lines import split_lines
from generators.planters.lines import target_lines
from generators.planting import Aim, Ground, Planted
from generators.seeding import draw

SUMMARY = "the proxy logs a success for a request that fails in the service"
EXAMPLE = """\
planter: fail-behind-proxy
"""
PLAIN_SIZE = re.compile(r"(?<=[ =])\d+(?= )")
WITH_BODY, WITHOUT_BODY = "200", "204"
FALLBACK_SIZE = 512


class FailBehindProxyParameters(Value):
    """Nothing: requests are known by their ids."""


class FailBehindProxy:
    """The proxy logs a success for a request that fails in the service."""

    def __init__(self, parameters: FailBehindProxyParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        served = {
            record.text("rid"): (path, record)
            for path, text in ground.texts.items()
            for record in records(text)
            if record.status
        }
        failures: dict[int, tuple[PurePosixPath, Record]] = {}
        for number, line in enumerate(lines, start=1):
            rid = _failed(line)
            if rid in served:
                failures[number] = served[rid]
        number = chosen(aim, lines, list(failures), "failed request that a service logs too")
        path, record = failures[number]
        line = lines[number - 1]
        success = WITHOUT_BODY if '"DELETE ' in line else WITH_BODY
        change = Change(str(aim.target), number, (line,), (_as_success(line, lines, success),))
        partner = split_lines(ground.texts[path])
        partner[record.line - 1] = _served(partner[record.line - 1], partner, success)
        return contradiction(ground, change, Place(path, record.line), partner)


def _failed(line: str) -> str:
    """The id of a proxied request that failed; empty for any other line."""
    request = PROXIED.search(line)
    if request is None or not request["status"].startswith("5"):
        return ""
    rid = REQUEST_ID.search(line[: request.start()] + " " + line[request.end() :])
    return rid["rid"] if rid else ""


def _as_success(line: str, lines: Sequence[str], success: str) -> str:
    """The line with another status, and a size that goes with it."""
    request = PROXIED.search(line)
    if request is None:
        raise AssertionError("the line was a request before")
    sizes = [
        int(found[0])
        for other in lines
        if (good := PROXIED.search(other)) and good["status"] == WITH_BODY
        if (found := PLAIN_SIZE.search(other, good.end("status")))
    ]
    head, tail = line[: request.start("status")], line[request.end("status") :]
    # As large as another answer, but for a few bytes: no two need be the same.
    size = sizes[draw(0, line) % len(sizes)] + len(head) if sizes else FALLBACK_SIZE
    return head + success + PLAIN_SIZE.sub(str(size if success == WITH_BODY else 0), tail, count=1)


def _served(line: str, lines: Sequence[str], success: str) -> str:
    """A failed request of a service as it would read had it gone well."""
    status, error, level = (_key(name) for name in ("status", "err", "level"))
    good = next(other for other in lines if re.search(rf"{status}2\d\d\b", other))
    named = re.search(rf"{level}(?P<value>[^,]+)", good)
    if named is None:
        raise AssertionError("a line of a service without a level")
    line = re.sub(rf"({status})\d+", rf"\g<1>{success}", line)
    line = re.sub(rf', ?{error}"[^"]*"', "", line)
    return re.sub(rf"({level})[^,]+", lambda m: m[1] + named["value"], line)


def _key(name: str) -> str:
    return rf'"(?:{"|".join(KEYS[name])})": ?'
