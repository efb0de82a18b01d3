"""`ocb author realism`: a build's corpus beside real text of the same kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from authoring.artefacts import Value
from generators.build import load_build
from generators.realism.comparison import Bar, BarCode, Figures, KindComparison, compare
from generators.realism.counterparts import on_this_machine, read_lists
from generators.realism.measures import Quartiles
from ocb.cli.author.printing import json_option, print_json
from ocb.cli.main import printable

EXIT_BROKEN = 1
ROWS_WITH_BARS: Mapping[BarCode, str] = {
    "gzip-ratio": "gzip ratio",
    "shared-upper": "shared by pairs, 95th percentile",
    "shared-most": "shared by pairs, most",
}


class ComparedBuild(Value):
    build: str
    kinds: tuple[KindComparison, ...]


class Realism(Value):
    """What `--json` prints."""

    builds: tuple[ComparedBuild, ...]
    broken: int
    """How many bars are."""


class Row(NamedTuple):
    """One line of a table: a figure of the corpus, of its counterpart, and its bar."""

    name: str
    corpus: str
    beside: str
    bar: str = ""


@click.command()
@click.argument(
    "folders", nargs=-1, required=True, metavar="BUILD...", type=click.Path(path_type=Path)
)
@json_option
def realism(*, folders: tuple[Path, ...], as_json: bool) -> None:
    """Hold the corpus of each BUILD beside real text of its kinds, and print both.

    Bars: the gzip ratio is within a third of the counterpart's; of their runs of five words, names,
    numbers and dates masked, pairs of files of one kind share at most 0.35 (the 95th percentile of
    pairs) and 0.6 (any pair). Exits with 1 where one is broken.
    """
    lists = read_lists()
    builds = [(folder, compare(load_build(folder), lists, on_this_machine)) for folder in folders]
    broken = [bar for _, kinds in builds for kind in kinds for bar in kind.broken]
    if as_json:
        compared = (ComparedBuild(build=str(folder), kinds=kinds) for folder, kinds in builds)
        print_json(Realism(builds=tuple(compared), broken=len(broken)))
    else:
        for folder, kinds in builds:
            click.echo(printable(str(folder)))
            for kind in kinds:
                _show(kind)
    if broken:
        click.get_current_context().exit(EXIT_BROKEN)


def _show(kind: KindComparison) -> None:
    files = f"{kind.corpus.files} file{'' if kind.corpus.files == 1 else 's'}"
    click.echo(printable(f"  {kind.kind}: {files}, {kind.corpus.size:,} bytes; {_beside(kind)}"))
    for row in _rows(kind.corpus, kind.counterpart, kind.bars):
        click.echo(printable(f"    {row.name:<34}{row.corpus:>26}{row.beside:>26}  {row.bar}"))
    shared = kind.corpus.sharing
    if shared is not None and kind.broken:
        click.echo(printable(f"    most alike: {shared.most.one} and {shared.most.other}"))


def _beside(kind: KindComparison) -> str:
    if not kind.beside:
        return "no counterpart"
    if kind.counterpart is None:
        return f"not beside {kind.beside}, which is not on this machine: install it beside ocb"
    files, size = kind.counterpart.files, kind.counterpart.size
    return f"beside {kind.beside}: {files} files, {size:,} bytes"


def _rows(corpus: Figures, beside: Figures | None, bars: Iterable[Bar]) -> Iterator[Row]:
    told = {ROWS_WITH_BARS[bar.code]: _bar(bar) for bar in bars}
    theirs = _texts(beside) if beside else {}
    for name, own in _texts(corpus).items():
        yield Row(name, own, theirs.get(name, ""), told.get(name, ""))


def _texts(figures: Figures) -> dict[str, str]:
    """Every figure, by the name of its row."""
    texts = {
        ROWS_WITH_BARS["gzip-ratio"]: f"{figures.gzip_ratio:.3f}",
        "lines that occur again": f"{figures.repeated_lines:.1%}",
        "runs of 4 words that are distinct": f"{figures.distinct_grams:.1%}",
        "characters a line, quartiles": _told(figures.line_length),
        "lines a file, quartiles": _told(figures.file_length),
    }
    if figures.sharing is not None:
        texts[ROWS_WITH_BARS["shared-upper"]] = f"{figures.sharing.upper:.3f}"
        texts[ROWS_WITH_BARS["shared-most"]] = f"{figures.sharing.most.share:.3f}"
    return texts


def _told(found: Quartiles) -> str:
    return f"{found.least} {found.lower} {found.median} {found.upper} {found.most}"


def _bar(bar: Bar) -> str:
    least = f"{bar.least:.3f} to " if bar.least else "at most "
    return f"{least}{bar.most:.3f}: {'kept' if bar.kept else 'BROKEN'}"
