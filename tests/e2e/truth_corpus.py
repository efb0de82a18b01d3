"""A corpus of which every line carries a token of its own, so that what was read can be counted."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from authoring.catalogue import Kind
from authoring.loading import load_spec
from generators.build import Build, build_scenario, load_build
from generators.catalogue import NoParameters, Registered, Registrations, installed
from generators.detectors.detector import Evidence
from generators.document import Document
from generators.planting import Aim, Ground, Planted
from generators.registry import Edit, Span

SPEC = """\
id: stock_lists
title: Stock lists of a warehouse
seed: 3
corpus:
  generator: stock-lists
  sizes: {small: {}}
scope:
  review: ["lists/**"]
  reference: [rules.txt]
task:
  prompt: |
    Review the {{ files }} stock lists under {{ folder }}/lists against {{ folder }}/rules.txt.
    {{ instruction }} Put the whole report in your final message.
  conditions:
    direct: Read them yourself.
    delegated: Share the work with sub-agents.
    no_delegation: Do all of it yourself.
needles:
  - id: negative-stock
    kind: negative-stock
    severity: major
    plant:
      into: {document: list, position: early}
      planter: negative-line
    report:
      statement: Crate 12 holds a negative number of pieces.
      terms: [[crate 12, negative]]
budget:
  file: {most: 4000}
  corpus: {small: {most: 40000}}
"""

FILES, LINES = 15, 37
INDENTS = ("", "", "  ", "\t", "\t\t")


class StockLists:
    """Lists of odd lines: indented, long, with numbers, arrows and colons at their start."""

    def __init__(self, parameters: NoParameters, randomness: random.Random) -> None:
        self._random = randomness

    def documents(self) -> Iterator[Document]:
        for number in range(1, FILES + 1):
            path = PurePosixPath(f"lists/{'north' if number % 2 else 'south'}/list-{number:02}.txt")
            yield Document(path, "list", "".join(self._line(n) for n in range(1, LINES + 1)))
        yield Document(
            PurePosixPath("rules.txt"), "rules", f"no crate is negative {self._token()}\n"
        )

    def _line(self, number: int) -> str:
        kind = self._random.choice(("plain", "plain", "numbered", "arrow", "colon", "long", "dash"))
        text = {
            "plain": f"crate {number} holds {self._random.randrange(10, 99)} pieces",
            "numbered": f"{self._random.randrange(1, 40)}\tcrate {number} holds 7 pieces",
            "arrow": f"    {number}→crate {number} holds 8 pieces",
            "colon": f"list-01.txt:{number}:crate {number} holds 9 pieces",
            "long": f"crate {number} holds 11 pieces " + "of glass, " * 80,
            "dash": f"{number}-crate {number} holds 12 pieces — \u2028 naïve\u00a0text",
        }[kind]
        return f"{self._random.choice(INDENTS)}{text} {self._token()}\n"

    def _token(self) -> str:
        return f"tk-{self._random.getrandbits(40):010x}"


class NegativeLine:
    """Makes the twelfth line of a list hold a negative number, and leaves its token."""

    def __init__(self, parameters: NoParameters) -> None:
        pass

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        clean = ground.texts[aim.target].split("\n")[11]
        planted = f"crate 12 holds -5 pieces {clean.rsplit(' ', 1)[1]}"
        path = str(aim.target)
        edit = Edit(path=path, first=12, last=12, planted=(planted,), clean=(clean,))
        return Planted((edit,), (Span(path=path, first=12, last=12),))


class NegativeStock:
    """Finds lines that hold a negative number of pieces."""

    def extract(self, path: PurePosixPath, text: str) -> tuple[int, ...]:
        return tuple(n for n, line in enumerate(text.split("\n"), 1) if "holds -" in line)

    def decide(self, facts: Mapping[PurePosixPath, tuple[int, ...]]) -> tuple[Evidence, ...]:
        return tuple(Evidence(path, n, n) for path, found in facts.items() for n in found)


def registrations() -> Registrations:
    """What ocb brings, and the two above."""
    known = installed()
    generator = Registered(Kind("stock-lists", "stock lists", NoParameters), StockLists)
    detector = Registered(Kind("negative-stock", "fewer than none", NoParameters), NegativeStock)
    planter = Registered(Kind("negative-line", "less than none", NoParameters), NegativeLine)
    return Registrations(
        generators={**known.generators, "stock-lists": generator},
        planters={**known.planters, "negative-line": planter},
        kinds={**known.kinds, "negative-stock": detector},
    )


def build_truth_corpus(folder: Path) -> Build:
    """Build it under a folder."""
    spec_file = folder / "stock_lists.yaml"
    spec_file.write_text(SPEC)
    known = registrations()
    spec = load_spec(spec_file, known.catalogue())
    paths = build_scenario(
        spec, size="small", parent=folder / "build", ocb_version="test", registrations=known
    )
    return load_build(paths.root)
