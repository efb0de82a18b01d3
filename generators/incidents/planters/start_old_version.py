"""`start-old-version`: after a deploy a host comes up with the version that it had before."""

from __future__ import annotations

from authoring.artefacts import Value
from generators.detectors.incidents.across import ANNOUNCED
from generators.detectors.incidents.reading import Record, records, time_of
from generators.edits import Change
from generators.incidents.planters.anchors import chosen
from generators.incidents.planters.contradictions import Place, contradiction
from generators.lines import split_lines
from generators.planters.lines import target_lines
from generators.planting import Aim, Ground, Planted

SUMMARY = "after a deploy a host comes up with the version that it had before"
EXAMPLE = """\
planter: start-old-version
"""


class StartOldVersionParameters(Value):
    """Nothing: hosts and versions are known by the logs."""


class StartOldVersion:
    """A host comes up with the version that it had before."""

    def __init__(self, parameters: StartOldVersionParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        found: dict[int, tuple[Record, str, Place]] = {}
        running: dict[str, str] = {}
        for record in records(ground.texts[aim.target]):
            host, version = record.text("host"), record.text("version")
            if not (host and version):
                continue
            announced = _announcement(ground, record)
            if announced is not None and running.get(host, version) != version:
                found[record.line] = (record, running[host], announced)
            running[host] = version
        number = chosen(aim, lines, list(found), "start of an announced version")
        record, old, announced = found[number]
        line, new = lines[number - 1], record.text("version")
        change = Change(str(aim.target), number, (line,), (line.replace(f'"{new}"', f'"{old}"'),))
        partner = split_lines(ground.texts[announced.path])
        said = partner[announced.line - 1]
        partner[announced.line - 1] = said.removesuffix(new) + old
        return contradiction(ground, change, announced, partner)


def _announcement(ground: Ground, start: Record) -> Place | None:
    """The last announcement for a host before it started."""
    last: Place | None = None
    for path, text in ground.texts.items():
        if "DEP-" not in text:
            continue
        for number, line in enumerate(split_lines(text), start=1):
            found, at = ANNOUNCED.search(line), time_of(line)
            if found is None or at is None or at >= start.at:
                continue
            if (found["host"], found["service"]) == (start.text("host"), start.text("service")):
                last = Place(path, number)
    return last
