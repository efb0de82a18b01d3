"""A corpus for models that do not read whole files: JSON, files of 3 to 90 lines, words to find.

Every line carries a token of its own, as in `truth_corpus`. Some lines stand as they are when
`jq .` or `awk` prints their file in another shape: one word alone, a JSON text alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from authoring.catalogue import Kind
from authoring.loading import load_spec
from generators.build import Build, build_scenario, load_build
from generators.catalogue import NoParameters, Registered
from generators.document import Document
from tests.e2e.truth_corpus import SPEC, registrations

LENGTHS: Mapping[str, int] = {
    **{f"lists/{name}.txt": n for name, n in zip("abcd", (24, 40, 64, 90), strict=True)},
    **{f"cards/{name}.txt": n for name, n in zip("ab", (3, 41), strict=True)},
    "ledgers/a.jsonl": 30,
    "ledgers/b.jsonl": 55,
    "ledgers/a.json": 25,
    "ledgers/b.json": 50,
}
"""Lines of each review file."""
WORDS = ("fragile", "inspected", "returned")
"""Each in one line of eight. No card holds one."""


class MixedLists:
    """Lists, cards and ledgers."""

    def __init__(self, parameters: NoParameters, randomness: random.Random) -> None:
        self._random = randomness

    def documents(self) -> Iterator[Document]:
        for path, length in LENGTHS.items():
            kind = path.split("/")[0].removesuffix("s")
            lines = [self._line(path, n, length) for n in range(1, length + 1)]
            yield Document(PurePosixPath(path), kind, "".join(f"{line}\n" for line in lines))
        rules = f"no crate holds less than none {self._token()}\n"
        yield Document(PurePosixPath("rules.txt"), "rules", rules)

    def _line(self, path: str, number: int, length: int) -> str:
        token = self._token()
        words = [word for word in WORDS if self._random.random() < 1 / 8]
        if path.startswith("cards"):
            return token if number % 3 == 0 else f"card {number} of {length} is blank {token}"
        if path.endswith(".txt"):
            return " ".join((f"crate {number} holds {number + 3} pieces", *words, token))
        crate = f'{{"crate": {number}, "marks": "{" ".join(words)}", "id": "{token}"}}'
        if path.endswith(".jsonl"):
            return f'"crate {number} is empty {token}"' if number % 5 == 0 else crate
        if number == 1:
            return f'{{"warehouse {token}": ['
        return f"  {crate}," if number < length else f'  {crate}], "last": true}}'

    def _token(self) -> str:
        return f"tk-{self._random.getrandbits(40):010x}"


def build_mixed_corpus(folder: Path) -> Build:
    """Build it under a folder."""
    known = registrations()
    generator = Registered(Kind("mixed-lists", "lists and ledgers", NoParameters), MixedLists)
    known = replace(known, generators={**known.generators, "mixed-lists": generator})
    spec_file = folder / "mixed_lists.yaml"
    spec_file.write_text(
        SPEC.replace("stock_lists", "mixed_lists")
        .replace("stock-lists", "mixed-lists")
        .replace('["lists/**"]', '["lists/**", "cards/**", "ledgers/**"]')
    )
    spec = load_spec(spec_file, known.catalogue())
    paths = build_scenario(
        spec, size="small", parent=folder / "build", ocb_version="test", registrations=known
    )
    return load_build(paths.root)
