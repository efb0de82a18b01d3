"""A contract as a reader without the generator sees it: numbers, dates, names, references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath

from generators.contracts.wording import MONTHS
from generators.detectors.contracts.quantities import durations
from generators.detectors.contracts.rate_tables import RoleRate, role_rates
from generators.detectors.contracts.register import NUMBER
from generators.lines import split_lines

MONTH = "|".join(MONTHS)
DATE = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}}) (?P<m1>{MONTH}) (?P<y1>\d{{4}})"
    rf"|(?P<m2>{MONTH}) (?P<d2>\d{{1,2}}), (?P<y2>\d{{4}}))\b"
)
LABEL = r'(?:(?:Section|Article) (?:\d+|[IVXL]+)|the section "[^"]+")'
SIGNED = re.compile(r"/s/ ([^|\n]+?) *(?:\||$)|\*\*: ([^,]+),", re.MULTILINE)
ADDRESS = re.compile(r"\d+(?: [A-Z]\w+)+, [A-Z][\w. ]+?, [A-Z]{2} \d{5}")
HEADING = re.compile(
    r"## (?:(?:Section |Article )?(?P<number>\d+|[IVXL]+)(?:\.|:| —) )?(?P<title>.+)"
)
TO = re.compile(r" (?:to|until|and) ")
FIRST_TERM = re.compile(
    r"(?:an initial (?:term|period) of|initial term of this Agreement is|remain in force for"
    r"|last for) "
)
UNTIL = re.compile(r"(?:extended|prolonged|runs?|run) (?:to|until) ")
UPLIFT = re.compile(r"(\d+) per cent")
SUBJECTS: Mapping[str, re.Pattern[str]] = {
    r"(?:as in|see|in line with) $": re.compile(r"payment|billing", re.IGNORECASE),
    r"(?:cap|limits|provided) in $": re.compile(r"liab", re.IGNORECASE),
    r"(?:cap on liability|liability cap) (?:in|of|under) $": re.compile(r"liab", re.IGNORECASE),
    r"(?:payment term|term of payment) (?:in|under) $": re.compile(
        r"payment|billing", re.IGNORECASE
    ),
    r"(?:earlier under|follows|governed by) $": re.compile(r"terminat|ending", re.IGNORECASE),
    r"arranty \($": re.compile(r"warrant|assurances", re.IGNORECASE),
}
"""What a reference to a section of the master agreement is about, by the words before it."""


def date_of(match: re.Match[str]) -> date:
    """The day a match of `DATE` names."""
    year, month, day = (match[name + "1"] or match[name + "2"] for name in "ymd")
    return date(int(year), MONTHS.index(month) + 1, int(day))


@dataclass(frozen=True)
class Paper:
    """One file."""

    path: PurePosixPath
    text: str

    @cached_property
    def flat(self) -> str:
        """On one line, without emphasis of its own kind."""
        return " ".join(self.text.split())

    @property
    def title(self) -> str:
        """The text of the first heading."""
        return self.text.partition("\n")[0].removeprefix("# ")

    @cached_property
    def _numbers(self) -> list[re.Match[str]]:
        return list(NUMBER.finditer(self.text))

    @property
    def number(self) -> str:
        """Its own number; empty for the playbook."""
        return self._numbers[0][0] if self._numbers else ""

    @property
    def kind(self) -> str:
        """The letters of its number."""
        return self._numbers[0]["kind"] if self._numbers else ""

    @property
    def place(self) -> str:
        """Its place in the register."""
        return self._numbers[0]["place"] if self._numbers else ""

    @cached_property
    def masters(self) -> frozenset[str]:
        """The numbers of the master agreements it names."""
        return frozenset(one[0] for one in self._numbers if one["kind"] == "MSA")

    @property
    def master(self) -> str:
        """The first of them."""
        return next((one[0] for one in self._numbers if one["kind"] == "MSA"), "")

    @cached_property
    def dates(self) -> tuple[date, ...]:
        """Every date in it, in order: the first is its own."""
        return tuple(date_of(match) for match in DATE.finditer(self.flat))

    @cached_property
    def signatories(self) -> tuple[str, ...]:
        """Who signed, the client first."""
        return tuple((one or other).strip() for one, other in SIGNED.findall(self.text))

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The addresses in it, each once."""
        return tuple(sorted(set(ADDRESS.findall(self.flat))))

    @cached_property
    def rates(self) -> tuple[RoleRate, ...]:
        """Day rates by role."""
        return role_rates(self.text)

    @property
    def uplift(self) -> int | None:
        """By how many per cent it raises rates."""
        found = UPLIFT.search(self.flat)
        return int(found[1]) if found else None

    def heading_of(self, label: str) -> str | None:
        """The heading that a label names: `Section 4`, `Article IV`, `the section "Payment"`."""
        wanted = label.removeprefix("the section ").strip('"')
        for line in split_lines(self.text):
            found = HEADING.fullmatch(line)
            if found is None:
                continue
            if wanted == found["title"] or label.split()[-1] == found["number"]:
                return found["title"]
        return None

    def master_references(self) -> Iterator[tuple[str, re.Pattern[str] | None]]:
        """Labels of sections of the master agreement, each with what it must be about."""
        for match in re.finditer(LABEL, self.flat):
            before = self.flat[max(0, match.start() - 60) : match.start()]
            after = self.flat[match.end() : match.end() + 30]
            of_master = after.startswith((" of the Master Agreement", " of the Master"))
            if self.kind != "AMD" and not of_master:
                continue
            if self.kind == "AMD" and match.start() and before.endswith(("## ", "### ")):
                continue
            subject = next(
                (about for words, about in SUBJECTS.items() if re.search(words, before)), None
            )
            yield match[0], subject

    def own_references(self) -> Iterator[str]:
        """Labels of its own sections: those of a master or confidentiality agreement."""
        if self.kind in ("MSA", "NDA"):
            for match in re.finditer(LABEL, self.flat):
                if not self.flat[: match.start()].endswith("## "):
                    yield match[0]

    def extended_until(self) -> date | None:
        """Until when an amendment extends the term."""
        for match in UNTIL.finditer(self.flat):
            found = DATE.match(self.flat, match.end())
            if found:
                return date_of(found)
        return None

    def first_term_ends(self) -> date | None:
        """About when the initial term of a master agreement is over, to the month."""
        found = FIRST_TERM.search(self.flat)
        if found is None or not self.dates:
            return None
        lasts = next(durations(self.flat[found.end() : found.end() + 60]), None)
        if lasts is None:
            return None
        start = self.dates[0]
        years, month = divmod(start.month - 1 + int(lasts.months), 12)
        return date(start.year + years, month + 1, 1)

    def spans(self) -> Iterator[tuple[date, date]]:
        """From and to, where a sentence or a row of a table gives both."""
        for first in DATE.finditer(self.flat):
            between = TO.match(self.flat, first.end())
            last = DATE.match(self.flat, between.end()) if between else None
            if last:
                yield date_of(first), date_of(last)
        for line in split_lines(self.text):
            found = [date_of(match) for match in DATE.finditer(line)]
            if line.startswith("|") and len(found) == 2 and "/s/" not in self._near(line):
                yield found[0], found[1]

    def _near(self, line: str) -> str:
        start = self.text.find(line)
        return self.text[max(0, start - 400) : start]


def read_paper(path: PurePosixPath, text: str) -> Paper:
    """One file, to be read."""
    return Paper(path, text)
