"""Renders the templates beside this module with the world, one report and its phrases."""

from __future__ import annotations

import random
import re
import textwrap
from functools import cache

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generators.choices import Choices
from generators.expenses.claims import CONGRESS, Report
from generators.expenses.vocabulary import read_places
from generators.expenses.wording import MONTHS, Phrasing
from generators.expenses.world import World

WIDTH = 96
TICKETS = re.compile(r"\b(?:ticket|boarding|seat|fare|agent)\b")
"""In remarks that do not fit a journey by car."""
BLANK_LINES = re.compile(r"\n{3,}")


def lower_first(text: str) -> str:
    """`Two parts` is `two parts`; `I` stays."""
    return text if text.startswith("I ") else text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """`two parts` is `Two parts`."""
    return text[:1].upper() + text[1:]


@cache
def make_environment() -> ImmutableSandboxedEnvironment:
    """The templates, compiled once a process; they know no name that is not given."""
    environment = ImmutableSandboxedEnvironment(
        loader=PackageLoader("generators.expenses", "templates"),
        undefined=StrictUndefined,
        extensions=[Choices],
        trim_blocks=True,
        lstrip_blocks=True,
        # Without autoescape: the results are Markdown and mail, not HTML.
        autoescape=False,
    )
    environment.filters["lower_first"] = lower_first
    environment.filters["upper_first"] = upper_first
    return environment


class Prose:
    """Texts about one report."""

    def __init__(self, source: random.Random, world: World, report: Report) -> None:
        self._random = source
        self._world = world
        self._report = report
        self.phrases = Phrasing(source, report.job)

    def write(self, template: str, **more: str) -> str:
        """A template rendered; `more` are values of its own."""
        phrases, report = self.phrases, self._report
        pick, words, job = phrases.pick, phrases.words, phrases.job
        away = report.city is not None
        text = (
            make_environment()
            .get_template(f"{template}.j2")
            .render(
                draw=self._random.randrange,
                world=self._world,
                report=report,
                congress=report.job == CONGRESS,
                approver=report.course.approver,
                month=MONTHS[report.first.month - 1],
                reason=lambda: pick(job.reasons),
                outcome=lambda: pick(job.outcomes),
                other=lambda: pick(job.others),
                activity=phrases.activity,
                task=phrases.task,
                thing=phrases.thing,
                remark=self.remark,
                praise=lambda: upper_first(pick(words.praise if away else words.office_praise)),
                opinion=lambda: upper_first(
                    phrases.opinion(words.opinions if away else words.office_opinions)
                ),
                aside=lambda: pick(words.asides if away else words.office_asides),
                **more,
            )
        )
        # A paragraph that is left out leaves its blank line.
        return BLANK_LINES.sub("\n\n", text)

    def remark(self) -> str:
        """A sentence on the expenses, without its full stop."""
        words = self.phrases.words
        if not self._report.city:
            return self.phrases.pick(words.office_remarks)
        by_car = any(row.category == "Mileage" for row in self._report.rows)
        fit = [one for one in words.remarks if not (by_car and TICKETS.search(one))]
        return self.phrases.pick(tuple(fit))


def write_policy(source: random.Random, world: World) -> str:
    """The policy, in Markdown."""
    countries = {city.country.code for city in world.cities}
    countries |= {department.country.code for department in world.departments}
    rendered = (
        make_environment()
        .get_template("policy.j2")
        .render(
            draw=source.randrange,
            world=world,
            limits=world.limits,
            cities=sorted(world.cities, key=lambda city: city.name),
            countries=[one for one in read_places().countries if one.code in countries],
        )
    )
    return "\n".join(wrapped(rendered)) + "\n"


def wrapped(text: str, prefix: str = "") -> list[str]:
    """Paragraphs wrapped; tables, headings and what is short stay as they are."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        if line.startswith(("|", "#")) or len(line) + len(prefix) <= WIDTH:
            lines.append(f"{prefix}{line}")
        else:
            hang = "  " if line.startswith(("- ", "* ")) else ""
            lines += textwrap.wrap(
                line,
                WIDTH,
                initial_indent=prefix,
                subsequent_indent=prefix + hang,
                break_long_words=False,
                break_on_hyphens=False,
            )
    return lines
