"""Writes what is prose: the protocol, consent records, reports, notes; all from templates."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generators.choices import Choices
from generators.detectors.trial.dictionary import read_dictionary
from generators.trial.analytes import ANALYTES
from generators.trial.design import STRENGTH
from generators.trial.order import turned
from generators.trial.plan import Serious, Trial
from generators.trial.sites import (
    BLOOD,
    CONSENT,
    DISPENSE,
    ENTRY,
    FILING,
    SIGN,
    STORE,
    TRACE,
    VITALS,
    Site,
)
from generators.trial.subjects import Subject

TALK_LINES = range(13, 17)
COURSE_LINES = range(9, 13)
NOTE_LINES = range(6, 10)
MONITORING_LINES = range(17, 23)
LOG_LINES = range(5, 8)

TASK_NAMES: Mapping[str, tuple[str, ...]] = {
    SIGN: (
        "form signature",
        "signing of forms",
        "sign-off of CRFs",
        "review and signature of forms",
    ),
    CONSENT: ("consent", "consent talks", "informing subjects", "obtaining consent"),
    DISPENSE: ("dispensing", "handing out of study drug", "study drug supply"),
    STORE: ("drug storage", "storage of kits", "temperature log", "upkeep of the drug cabinet"),
    VITALS: ("vital signs", "weight and blood pressure", "bedside readings"),
    BLOOD: ("blood samples", "venepuncture", "sampling and shipment"),
    TRACE: ("ECG", "recording of ECGs", "tracings"),
    ENTRY: ("data entry", "entering forms", "entry of data and answers to queries"),
    FILING: ("filing", "site file", "upkeep of binders"),
}


@cache
def make_environment() -> ImmutableSandboxedEnvironment:
    """The templates that ship beside this module, with `choose` and no name that is not given."""
    return ImmutableSandboxedEnvironment(
        loader=PackageLoader("generators.trial", "templates"),
        undefined=StrictUndefined,
        extensions=[Choices],
        trim_blocks=True,
        lstrip_blocks=True,
        # Without autoescape: the result is Markdown, not HTML.
        autoescape=False,
    )


@dataclass(frozen=True)
class Heat:
    """A stretch of warmth in a drug store."""

    day: str
    hours: int
    peak: str
    kits: int


@dataclass(frozen=True)
class Counts:
    """How far a site had come on a day."""

    consented: int
    dosed: int
    visits: int


class ProseWriter:
    """Writes the documents of one trial. Holds templates, nothing that changes."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._environment = make_environment()
        self._sites = {site.number: site for site in trial.sites}

    def _render(self, name: str, source: random.Random, values: Mapping[str, object]) -> str:
        given = {"draw": source.randrange, "design": self._trial.design, **values}
        return self._environment.get_template(f"{name}.j2").render(given).strip("\n") + "\n"

    def _pool(
        self,
        name: str,
        source: random.Random,
        count: int,
        values: Mapping[str, object] | None = None,
    ) -> list[str]:
        """Some lines of a template whose every line may stand alone, in a random order."""
        lines = self._render(f"pools/{name}", source, values or {}).split("\n")
        return source.sample([line for line in lines if line], count)

    def protocol(self, source: random.Random) -> str:
        """The protocol."""
        values = {
            "d": self._trial.design,
            "strength": STRENGTH,
            "analytes": ANALYTES,
            "example": self._trial.subjects[0].number,
        }
        return self._render("protocol", source, values)

    def visit_note(self, source: random.Random, *, dosed: bool) -> list[str]:
        """The sentences of a note on a form. `dosed`: whether study drug was handed out before."""
        return self._pool("visit_note", source, source.choice(NOTE_LINES), {"dosed": dosed})

    def consent(self, source: random.Random, subject: Subject, turn: int) -> str:
        """The record of how one subject gave consent; the signature stands where `turn` says."""
        talk = self._pool("consent_talk", source, source.choice(TALK_LINES))
        came = subject.consent - timedelta(minutes=source.randrange(6, 50))
        moment = {"who": subject.number, "came": came.strftime("%H:%M")}
        middle = len(talk) // 2 + source.randrange(-2, 3)
        talk[middle:middle] = self._pool("consent_moment", source, 1, moment)
        values = {
            "subject": subject,
            "site": self._sites[subject.site],
            "day": subject.consent.date().isoformat(),
            "time": subject.consent.strftime("%H:%M"),
            "talk": talk,
            "first": turn % 3 == 0,
            "half": len(talk) // 2 + 1 if turn % 3 == 1 else len(talk) - source.randrange(3),
        }
        return self._render("consent", source, values)

    def serious(self, source: random.Random, report: Serious, turn: int) -> str:
        """The report of one serious event; its facts stand where `turn` says."""
        values = {
            "report": report,
            "site": self._sites[report.subject.site],
            "aware": report.aware.strftime("%Y-%m-%d %H:%M"),
            "sent": report.sent.strftime("%Y-%m-%d %H:%M"),
            "course": self._pool("serious_course", source, source.choice(COURSE_LINES)),
            "order": turned(("facts", "course", "judgement"), turn),
        }
        return self._render("serious", source, values)

    def delegation(self, source: random.Random, site: Site) -> str:
        """The delegation log of a site."""
        people = {"coordinator": site.staff[5].name}
        values = {
            "site": site,
            "coordinator": site.staff[5],
            "leaving": site.staff[1],
            "coming": site.staff[2],
            "lines": self._pool("delegation", source, source.choice(LOG_LINES), people),
            "table": "\n".join(_staff_table(source, site)),
        }
        return self._render("delegation", source, values)

    def monitoring(self, source: random.Random, site: Site, day: date, turn: int) -> str:
        """The note on one monitoring visit; the drug store is looked at when `turn` says."""
        subjects = self._trial.at(site)
        there = [subject for subject in subjects if subject.consent.date() < day]
        named = source.sample(there, min(2, len(there)))
        people = {
            "people": " and ".join(subject.number for subject in named),
            "principal": site.principal.name,
            "pharmacist": site.staff[6].name,
        }
        lines = self._pool("monitoring", source, source.choice(MONITORING_LINES), people)
        values = {
            "site": site,
            "day": day.isoformat(),
            "coordinator": site.staff[5],
            "counts": _counts(subjects, day),
            "lines": lines,
            "half": len(lines) // 2 + source.randrange(2),
            "heats": self._heats(source, day, people),
            "order": turned(("store", "review", "rest"), turn),
        }
        return self._render("monitoring", source, values)

    def _heats(self, source: random.Random, day: date, people: Mapping[str, object]) -> list[str]:
        """One short stretch, after which kits stay in use; often a long one, after which not."""
        limit = self._trial.design.excursion_hours
        short = _heat(source, day, source.randrange(2, limit - 1))
        heats = self._pool("heat_short", source, 1, {"heat": short, **people})
        if source.randrange(3):
            long = _heat(source, day, source.randrange(limit + 2, limit + 30))
            heats += self._pool("heat_long", source, 1, {"heat": long, **people})
        return source.sample(heats, len(heats))


def _heat(source: random.Random, day: date, hours: int) -> Heat:
    when = day - timedelta(days=source.randrange(6, 60))
    peak = f"{source.randrange(256, 294) / 10:.1f}"
    return Heat(when.isoformat(), hours, peak, source.randrange(3, 15))


def _counts(subjects: Sequence[Subject], day: date) -> Counts:
    days = [a.day for subject in subjects for a in subject.attended]
    return Counts(
        consented=sum(subject.consent.date() <= day for subject in subjects),
        dosed=sum(subject.first_dose <= day for subject in subjects),
        visits=sum(one <= day for one in days),
    )


def _staff_table(source: random.Random, site: Site) -> list[str]:
    names = read_dictionary().staff_columns
    columns = source.sample(sorted(names), len(names))
    separator = source.choice([", ", "; ", " and "])
    rows = []
    for member in source.sample(site.staff, len(site.staff)):
        values = {
            "name": member.name,
            "initials": member.initials,
            "role": member.role,
            "tasks": separator.join(source.choice(TASK_NAMES[task]) for task in member.tasks),
            "start": member.start.isoformat(),
            "end": member.end.isoformat() if member.end else "",
        }
        rows.append("| " + " | ".join(values[column] for column in columns) + " |")
    head = "| " + " | ".join(source.choice(names[column]) for column in columns) + " |"
    return [head, "|" + " --- |" * len(columns), *rows]
