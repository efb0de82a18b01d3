"""Reads what stands in prose: consent records, reports of serious events, monitoring notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from generators.detectors.trial.cells import DAY, Cell
from generators.lines import split_lines
from generators.sentences import sentences

SUBJECT = re.compile(r"\b\d{3}-\d{4}-\d\b")
VERSION = re.compile(r"\bversion (\d+\.\d+)", re.IGNORECASE)
CONSENT = re.compile(r"#[^\n]*\bconsent\b", re.IGNORECASE)
SERIOUS = re.compile(r"#[^\n]*\bserious\b", re.IGNORECASE)
NUMBER = re.compile(r"\bS-\d{4}\b")
TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:T|,? (?:at )?)\d{2}:\d{2}")
AWARE = re.compile(
    r"\b(?:aware\w*|learn(?:ed|t)|heard|known to the site|notified of)\b", re.IGNORECASE
)
SENT = re.compile(r"\b(?:sent|reported|submitted|transmitted|filed)\b", re.IGNORECASE)
HEAT = re.compile(r"\b25 °C\b.*?\bfor (\d+) hours?\b|\bfor (\d+) hours?\b.*?\b25 °C", re.IGNORECASE)
ASIDE = re.compile(r"quarantin|set aside|blocked|locked away", re.IGNORECASE)


@dataclass(frozen=True)
class Consent:
    """Who signed which version of the consent form, and when."""

    subject: str
    version: Cell
    date: Cell


@dataclass(frozen=True)
class SeriousReport:
    """When a site learned of a serious event, and when it told the sponsor."""

    number: str
    subject: str
    aware: Cell
    sent: Cell


@dataclass(frozen=True)
class Heat:
    """A stretch above the storage limit after which the kits stayed in use."""

    hours: Decimal
    first: int
    last: int


def read_consent(text: str) -> Consent | None:
    """The line that names a subject, a version and a date; None where there is none."""
    if not CONSENT.match(text):
        return None
    for number, line in enumerate(split_lines(text), start=1):
        who, version, when = SUBJECT.search(line), VERSION.search(line), DAY.search(line)
        if who and version and when:
            return Consent(
                subject=who[0],
                version=Cell(version[1], number, version.start(1)),
                date=Cell(when[0], number, when.start()),
            )
    return None


def read_serious(text: str) -> SeriousReport | None:
    """A report of a serious event; None where the text is none or lacks a time."""
    number, subject = NUMBER.search(text), SUBJECT.search(text)
    if not SERIOUS.match(text) or not number or not subject:
        return None
    aware = _moment_of(AWARE, text)
    sent = _moment_of(SENT, text)
    if aware is None or sent is None:
        return None
    return SeriousReport(number[0], subject[0], aware, sent)


def _moment_of(word: re.Pattern[str], text: str) -> Cell | None:
    """The first time that follows a word on one line with the report's number."""
    for number, line in enumerate(split_lines(text), start=1):
        said = word.search(line)
        if said and NUMBER.search(line) and (when := TIME.search(line, said.end())):
            return Cell(when[0], number, when.start())
    return None


def read_heats(text: str) -> tuple[Heat, ...]:
    """The stretches of heat in a note after which the kits were not set aside."""
    return tuple(_heats(text))


def _heats(text: str) -> Iterator[Heat]:
    for sentence in sentences(text):
        found = HEAT.search(sentence.text)
        if found and not ASIDE.search(sentence.text):
            yield Heat(Decimal(found[1] or found[2]), sentence.first, sentence.last)
