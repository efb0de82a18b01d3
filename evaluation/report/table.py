"""The report as one value (`ocb.report/1`): a row per model, harness and condition.

The terminal, JSON and every later form print these numbers and compute none of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

import orjson
from pydantic import Field

from authoring.artefacts import Value
from evaluation.report.collect import Absent, Collected
from evaluation.report.notes import notes
from evaluation.report.row import LIMIT_SHARE, Cost, LimitedCell, Row, Setting
from evaluation.run import VOID, RunRecord
from evaluation.scoring.score import MEASUREMENT, RULES
from evaluation.statistics.coverage import coverage_means, limited_breadth
from evaluation.statistics.rates import (
    ESTIMAND,
    contradicted,
    needle_rates,
    rule_rates,
)
from evaluation.statistics.runs import ScoredRun
from evaluation.statistics.tally import tally


class LostRun(Value):
    """A run that came to an end, and cannot be used."""

    folder: str
    reason: str


class AbsentRun(Value):
    """A planned run of which there is no record."""

    setting: Setting
    repetition: int
    scenario: str = ""


class Report(Value):
    """All rows, and every run that is in none."""

    schema_: Annotated[Literal["ocb.report/1"], Field(alias="schema")] = "ocb.report/1"
    measurement: int = MEASUREMENT
    estimand: str = ESTIMAND
    planned: int
    finished: int
    """Runs that came to an outcome and can be used: those of the rows."""
    unfinished: int
    """Planned runs that are neither finished nor lost."""
    absent: tuple[AbsentRun, ...]
    """Planned runs of which there is no record: unfinished, deleted, or among the lost."""
    lost: tuple[LostRun, ...]
    repeated: tuple[str, ...]
    """Folders of a run that lies elsewhere too; counted once."""
    cost: Cost
    """Of all runs whose `run.json` can be read."""
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    """What a reader must know, in sentences."""


def build_report(collected: Collected) -> Report:
    """Group the runs and compute every number. The order of the runs changes nothing."""
    groups: defaultdict[bytes, _Group] = defaultdict(_Group)
    for run in collected.runs:
        groups[_order(_setting(run.record))].runs.append(run)
    for lost in collected.lost:
        if lost.record is not None:
            groups[_order(_setting(lost.record))].lost.append(lost.record)
    for absent in collected.absent:
        groups[_order(absent.setting)].absent.append(absent)
    rows = tuple(_row(groups[key]) for key in sorted(groups))
    return Report(
        planned=collected.planned,
        finished=len(collected.runs),
        unfinished=collected.unfinished,
        absent=tuple(
            AbsentRun(
                setting=absent.setting, repetition=absent.repetition, scenario=absent.scenario
            )
            for absent in sorted(collected.absent, key=_place)
        ),
        lost=tuple(
            LostRun(folder=lost.folder, reason=lost.reason)
            for lost in sorted(collected.lost, key=lambda lost: lost.folder)
        ),
        repeated=tuple(sorted(collected.repeated)),
        cost=Cost.of(record for group in groups.values() for record in group.records),
        rows=rows,
        notes=notes(rows),
    )


def _place(absent: Absent) -> tuple[bytes, str, int]:
    return _order(absent.setting), absent.scenario, absent.repetition


@dataclass
class _Group:
    """The runs of one row while they are being gathered."""

    runs: list[ScoredRun] = field(default_factory=list)
    lost: list[RunRecord] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)

    @property
    def records(self) -> list[RunRecord]:
        """Of the runs of which there is one."""
        return [run.record for run in self.runs] + self.lost

    @property
    def setting(self) -> Setting:
        if self.absent:
            return self.absent[0].setting
        return _setting(self.lost[0] if self.lost else self.runs[0].record)


def _setting(record: RunRecord) -> Setting:
    key = record.key
    return Setting(
        model=key.model,
        harness=key.harness,
        harness_version=key.harness_version,
        condition=key.condition,
        settings=key.settings,
        simulated=record.simulated,
    )


def _order(setting: Setting) -> bytes:
    """A key to sort and group by: the fields in their order, as text."""
    data = setting.model_dump(mode="json")
    return orjson.dumps(list(data.values()), option=orjson.OPT_SORT_KEYS)


def _row(group: _Group) -> Row:
    runs = group.runs
    records = group.records
    absent = len(group.lost) + len(group.absent)
    measured = [run.score for run in runs if run.score is not None and run.outcome not in VOID]
    shortened = [score.shortened for score in measured if score.shortened]
    answers: Counter[str] = Counter()
    for record in records:
        answers.update(record.models)
    return Row(
        setting=group.setting,
        scenarios=tuple(sorted({record.key.scenario for record in records})),
        validation=tuple(sorted({record.validation for record in records})),
        answered_by=dict(sorted(answers.items())),
        tally=tally(runs, planned=len(runs) + absent, absent=absent),
        rules={rule: rule_rates(runs, rule, absent=absent) for rule in RULES},
        contradicted=contradicted(runs, absent=absent),
        needles=needle_rates(runs),
        coverage=coverage_means(runs),
        channels_differ=sum(score.channels.agree is False for score in measured),
        one_channel=sum(score.channels.wire != score.channels.transcript for score in measured),
        shortened_runs=len(shortened),
        shortened_calls=sum(shortened),
        limited_breadth=limited_breadth(runs),
        limited=tuple(_limited(group)),
        cost=Cost.of(records),
        infeasible=tuple(
            sorted({record.key.scenario for record in records if record.feasible is False})
        ),
    )


def _limited(group: _Group) -> Iterator[LimitedCell]:
    """By scenario: what a limit does in one must not be thinned out by the others."""
    planned = Counter(run.record.key.scenario for run in group.runs)
    planned.update(record.key.scenario for record in group.lost)
    planned.update(absent.scenario for absent in group.absent)
    for scenario in sorted(planned):
        runs = [run for run in group.runs if run.record.key.scenario == scenario]
        limited = sum(run.outcome == "limit" for run in runs)
        if limited > LIMIT_SHARE * planned[scenario]:
            yield LimitedCell(
                scenario=scenario,
                planned=planned[scenario],
                limited=limited,
                breadth=limited_breadth(runs),
            )
