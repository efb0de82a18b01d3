"""A corpus for real CLIs: one or two files for each route, and no line like any other.

Every line begins with a token and ends with another, so that a plain search tells a line that was
shown whole from one that was cut, and from one that was reshaped.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache

SEED = 7
NOTES = "AGENTS.md"
"""Given by some CLIs to a model that did not ask: it lies there where a case wants it."""
ODD = (
    "{} 1\tone {}",
    "{}      2→two {}",
    "  \t{} three {}",
    "{} odd.txt:4:four {}",
    "    {} 5-five {}",
    "{} six \u2028 \x0c nbsp\u00a0{}",
    "{} seven “quoted” \\n 'as is' {}",
)
"""Lines as readers get them wrong: indented, with numbers, arrows and colons of their own."""


def _tokens() -> Iterator[str]:
    rng = random.Random(SEED)
    given: set[str] = set()
    while True:
        token = f"{rng.getrandbits(32):08x}"
        if token not in given:
            given.add(token)
            yield token


@cache
def corpus() -> Mapping[str, str]:
    """The files, by path."""
    tokens = _tokens()

    def line(form: str) -> str:
        return form.replace("{}", f"tk-{next(tokens)}", 1).replace("{}", f"{next(tokens)}-kt", 1)

    def lines(count: int, form: str = "{} crate # holds 7 pieces {}") -> str:
        return "".join(f"{line(form.replace('#', str(n)))}\n" for n in range(1, count + 1))

    def wide() -> str:
        return lines(2) + line("{} " + "of glass, " * 500 + "{}") + "\n" + lines(2)

    return {
        NOTES: lines(3, "{} Count crate # twice. {}"),
        "reads/whole.txt": lines(30),
        "reads/range.txt": lines(60),
        "reads/past.txt": lines(8),
        "reads/odd.txt": "".join(f"{line(form)}\n" for form in ODD) + line("{} no end {}"),
        "reads/wide.txt": wide(),
        "reads/many.txt": lines(3000, "{} {}"),
        **{f"reads/beside-{n}.txt": lines(12) for n in (1, 2, 3)},
        "shell/cat-n.txt": lines(12),
        "shell/sed.txt": lines(40),
        "shell/nl.txt": lines(12),
        "shell/head.txt": lines(20),
        "shell/search.txt": lines(40),
        "shell/left.txt": lines(12),
        "shell/right.txt": lines(12),
        "shell/wide.txt": wide(),
        "shell/many.txt": lines(3000, "{} {}"),
        "shell/parts.jsonl": lines(12, '{"part":"{}","crate":#,"mark":"{}"}'),
        "shell/cut-some.csv": lines(12, "{},crate #,7 pieces,{}"),
        "shell/cut-all.csv": lines(12, "{},crate #,7 pieces,{}"),
        "shell/column.csv": lines(12, "{},crate #,7 pieces,{}"),
        "shell/frame.csv": line("{},crate,pieces,{}") + "\n" + lines(12, "{},crate #,7 pieces,{}"),
        **{f"agents/{name}.txt": lines(12) for name in ("own", "outer", "inner", "other", "late")},
        **{f"turns/{name}.txt": lines(12) for name in ("first", "second", "third")},
        "long/one.txt": lines(60),
        "long/two.txt": lines(600),
        "long/three.txt": lines(600),
        "long/four.txt": lines(12),
        "long/five.txt": lines(12),
    }
