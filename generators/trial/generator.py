"""The `trial` generator: the records of a clinical trial, site by site, and its protocol."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import PurePosixPath

from generators.document import Document
from generators.trial.design import read_vocabulary, weekday
from generators.trial.forms import FormWriter
from generators.trial.hand import draw_names
from generators.trial.listings import write_listing, write_log
from generators.trial.order import turn_of
from generators.trial.plan import Trial, TrialParameters, plan_trial
from generators.trial.prose import ProseWriter
from generators.trial.sites import Site

SUMMARY = "case report forms, listings, logs, consents and notes of a clinical trial; its protocol"
EXAMPLE = """\
generator: trial
parameters: {visits: 4}
sizes:
  standard: {sites: 4, subjects: 9, serious: 4}
"""
PROTOCOL = PurePosixPath("protocol.md")


class TrialGenerator:
    """`protocol.md`, and the records of each site below `sites/`."""

    def __init__(self, parameters: TrialParameters, source: random.Random) -> None:
        self._parameters = parameters
        self._seed = source.getrandbits(64)

    def documents(self) -> Iterator[Document]:
        """Protocol, sites and reports. Each document has a stream of randomness of its own."""
        source = random.Random(self._seed)
        trial = plan_trial(source, read_vocabulary(), self._parameters)
        prose = ProseWriter(trial)
        yield Document(PROTOCOL, "protocol", prose.protocol(_own(source)))
        for index in range(len(trial.sites)):
            yield from self._site(source, trial, index, prose)
        for index, report in enumerate(trial.serious):
            turn = turn_of(index, len(trial.serious))
            yield Document(report.path, "serious", prose.serious(_own(source), report, turn))

    def _site(
        self,
        source: random.Random,
        trial: Trial,
        index: int,
        prose: ProseWriter,
    ) -> Iterator[Document]:
        site = trial.sites[index]
        folder = PurePosixPath("sites", site.number)
        vocabulary, subjects = read_vocabulary(), trial.at(site)
        forms = FormWriter(trial.design, vocabulary, draw_names(_own(source)))
        yield Document(
            folder / "delegation-log.md", "delegation", prose.delegation(_own(source), site)
        )
        listing = write_listing(_own(source), site, subjects, vocabulary)
        yield Document(folder / "lab-listing.csv", "listing", listing)
        log = write_log(_own(source), site, subjects, vocabulary)
        yield Document(folder / "dispensing-log.csv", "log", log)
        visits = _monitored(source, trial, site, self._parameters.monitoring)
        for turn, day in enumerate(visits, start=index * len(visits)):
            path = folder / f"monitoring-{day.isoformat()}.md"
            yield Document(path, "monitoring", prose.monitoring(_own(source), site, day, turn))
        for turn, subject in enumerate(subjects, start=trial.subjects.index(subjects[0])):
            place = folder / "subjects" / subject.number
            record = prose.consent(_own(source), subject, turn)
            yield Document(place / "consent.md", "consent", record)
            for later, attendance in enumerate(subject.attended):
                stream = _own(source)
                note = prose.visit_note(stream, dosed=attendance.returned is not None)
                text = forms.write(stream, subject, attendance, note, turn + later)
                yield Document(place / f"{attendance.visit.code.lower()}.yaml", "crf", text)


def _own(source: random.Random) -> random.Random:
    """A stream for one document: a change to one leaves the others as they are."""
    return random.Random(source.getrandbits(64))


def _monitored(source: random.Random, trial: Trial, site: Site, count: int) -> list[date]:
    """The days of the monitoring visits, spread over the time of the site's visits."""
    days = sorted(a.day for subject in trial.at(site) for a in subject.attended)
    first, last = days[0], days[-1]
    step = ((last - first).days + 60) // (count + 1)
    return [
        weekday(first + timedelta(days=step * (index + 1) + source.randrange(5)))
        for index in range(count)
    ]
