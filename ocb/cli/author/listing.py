"""`ocb author list`: what is shipped, and what a spec may name, with its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from authoring.artefacts import Value
from authoring.catalogue import Kind
from authoring.loading import load_spec
from authoring.parameters import Parameter, default_in_words, parameters_of
from authoring.spec import Size
from generators.catalogue import describe
from ocb.cli.author.printing import json_option, print_json
from ocb.cli.main import printable
from ocb.shipped import shipped_specs


class ListedScenario(Value):
    name: str
    summary: str
    sizes: tuple[Size, ...]
    needles: int


class ListedKind(Value):
    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    example: str
    """How it is written in a spec; empty where there is nothing to show."""


class Listing(Value):
    scenarios: tuple[ListedScenario, ...]
    generators: tuple[ListedKind, ...]
    planters: tuple[ListedKind, ...]
    kinds: tuple[ListedKind, ...]
    detectors: tuple[ListedKind, ...]
    """By which a spec may bring kinds of its own."""


@click.command(name="list")
@json_option
def list_all(*, as_json: bool) -> None:
    """List shipped scenarios, and what a spec may name: generators, planters, kinds, detectors."""
    catalogue = describe()
    listing = Listing(
        scenarios=tuple(_scenarios()),
        generators=_kinds(catalogue.generators),
        planters=_kinds(catalogue.planters),
        kinds=_kinds(catalogue.kinds),
        detectors=_kinds(catalogue.detectors),
    )
    if as_json:
        print_json(listing)
        return
    click.echo("scenarios:")
    for scenario in listing.scenarios:
        _show(scenario.name, f"{scenario.summary} ({', '.join(scenario.sizes)})")
    for section in ("generators", "planters", "kinds", "detectors"):
        click.echo(f"{section}:")
        entries: tuple[ListedKind, ...] = getattr(listing, section)
        for entry in entries:
            _show(entry.name, entry.summary)
            for parameter in entry.parameters:
                _show_parameter(parameter)


def _scenarios() -> Iterable[ListedScenario]:
    catalogue = describe()
    for name, path in shipped_specs().items():
        spec = load_spec(path, catalogue)
        yield ListedScenario(
            name=name,
            summary=spec.title,
            sizes=tuple(spec.corpus.sizes),
            needles=len(spec.needles),
        )


def _kinds(kinds: Mapping[str, Kind]) -> tuple[ListedKind, ...]:
    return tuple(
        ListedKind(
            name=name,
            summary=kind.summary,
            parameters=parameters_of(kind.parameters),
            example=kind.example,
        )
        for name, kind in sorted(kinds.items())
    )


def _show(name: str, summary: str) -> None:
    click.echo(printable(f"  {name:<28} {summary}"))


def _show_parameter(parameter: Parameter) -> None:
    about = f"{parameter.type}, {default_in_words(parameter)}"
    summary = f". {parameter.summary}" if parameter.summary else ""
    click.echo(printable(f"      {parameter.name:<24} {about}{summary}"))
