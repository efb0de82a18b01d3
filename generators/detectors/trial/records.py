"""All records of a trial, file by file: what every rule of this scenario is decided over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from generators.detectors.trial.cells import Entry
from generators.detectors.trial.forms import Form, read_form
from generators.detectors.trial.notes import (
    Consent,
    Heat,
    SeriousReport,
    read_consent,
    read_heats,
    read_serious,
)
from generators.detectors.trial.numbers import WrongNumber, wrong_numbers
from generators.detectors.trial.protocol import Protocol, read_protocol
from generators.detectors.trial.tables import read_csv, read_delegations

REMEMBERED = 4096
"""Files whose reading is kept: every kind of defect reads all of them."""


@dataclass(frozen=True)
class Record:
    """What one file says; at most one of these is there."""

    protocol: Protocol | None = None
    form: Form | None = None
    rows: tuple[Entry, ...] = ()
    """Of a laboratory listing, a dispensing log or a delegation log."""
    consent: Consent | None = None
    serious: SeriousReport | None = None
    heats: tuple[Heat, ...] = ()
    wrong_numbers: tuple[WrongNumber, ...] = ()
    """Whatever the file is."""


@lru_cache(maxsize=REMEMBERED)
def read_record(suffix: str, text: str) -> Record:
    """Read one file by what it holds. `suffix`: of its name."""
    wrong = wrong_numbers(text)
    if suffix in (".yaml", ".yml"):
        return Record(form=read_form(text), wrong_numbers=wrong)
    if suffix == ".csv":
        return Record(rows=read_csv(text), wrong_numbers=wrong)
    if protocol := read_protocol(text):
        return Record(protocol=protocol)
    if rows := read_delegations(text):
        return Record(rows=rows, wrong_numbers=wrong)
    if serious := read_serious(text):
        return Record(serious=serious, wrong_numbers=wrong)
    if consent := read_consent(text):
        return Record(consent=consent, wrong_numbers=wrong)
    return Record(heats=read_heats(text), wrong_numbers=wrong)


@dataclass(frozen=True)
class Records:
    """The records of a corpus, or of a part of one."""

    by_path: Mapping[PurePosixPath, Record]

    @classmethod
    def of(cls, texts: Mapping[PurePosixPath, str]) -> Records:
        """Read them all."""
        return cls({path: read_record(path.suffix, texts[path]) for path in sorted(texts)})

    @property
    def protocol(self) -> Protocol | None:
        """The protocol, where it is among them."""
        return next((r.protocol for r in self.by_path.values() if r.protocol), None)

    def forms(self) -> Iterator[tuple[PurePosixPath, Form]]:
        """Case report forms, by path."""
        for path, record in self.by_path.items():
            if record.form:
                yield path, record.form

    def rows(self, section: str) -> Iterator[tuple[PurePosixPath, Entry]]:
        """Rows of tables of one sort, by path."""
        for path, record in self.by_path.items():
            for row in record.rows:
                if row.section == section:
                    yield path, row

    def consents(self) -> Iterator[tuple[PurePosixPath, Consent]]:
        """Consent records, by path."""
        for path, record in self.by_path.items():
            if record.consent:
                yield path, record.consent

    def serious(self) -> Iterator[tuple[PurePosixPath, SeriousReport]]:
        """Reports of serious events, by path."""
        for path, record in self.by_path.items():
            if record.serious:
                yield path, record.serious
