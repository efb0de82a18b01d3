"""Models that review, as scripts of a server on loopback, and one build for them to read.

A script sees what a model would see: the text of one request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from authoring.spec import Report
from generators.models.asking import ModelAnswer, ModelRequest, Usage
from generators.models.prices import Price
from generators.registry import RegisteredNeedle
from tests.generators.models.model_server import Asked, ModelServer, Reply, answered, serving
from tests.validation.made_builds import made_needle, made_subject
from validation.readers.answer import ReaderFinding
from validation.readers.metering import Account, Meter
from validation.readers.prompt import Prompt
from validation.readers.reader import Budget, ModelReader, Reading, open_reader
from validation.subject import Subject

Findings = list[dict[str, object]]
Reviewer = Callable[[str], Findings]
"""What is reported of the text of a request."""

VENDORS = ("anthropic", "openai")

LATE = "letters/a.txt"
TEXTS = {
    LATE: "Terms of the Aster\nthe payment falls due late, after 90 days\nsigned in March\n",
    "letters/b.txt": "Terms of the Birch\nthe payment falls due after 30 days\nsigned in April\n",
    "letters/c.txt": "Terms of the Cedar\nthe payment falls due after 31 days\nsigned in May\n",
    "letters/d.txt": "Terms of the Damson\nthe payment falls due after 32 days\nsigned in June\n",
    "letters/e.txt": "Terms of the Elm\nthe payment falls due after 33 days\nsigned in July\n",
    "rules.txt": "no payment falls due after more than 60 days\n",
}
NEEDLE = made_needle(LATE, 2)


def subject(texts: Mapping[str, str] = TEXTS, *needles: RegisteredNeedle) -> Subject:
    """A build of five letters and their rules, with one needle or those given."""
    return made_subject(texts, *(needles or (NEEDLE,)))


def other_needle(path: str, line: int, *terms: tuple[str, ...], name: str) -> RegisteredNeedle:
    return made_needle(path, line, id=name, report=Report(statement="It is wrong.", terms=terms))


def finding(
    file: str = LATE, line: int = 2, defect: str = "The payment is due too late."
) -> dict[str, object]:
    return {"file": file, "line": line, "defect": defect}


def sharp(text: str) -> Findings:
    """Finds the needle where its planted line is among the files."""
    return [finding()] if "2\tthe payment falls due late" in text else []


def blind(text: str) -> Findings:
    return []


def eager(text: str) -> Findings:
    """Reports the needle whatever it reads."""
    return [finding()]


def script(reviewer: Reviewer) -> Callable[[Asked], Reply]:
    """A server behind which a reviewer sits."""
    return lambda asked: answered(asked, {"findings": reviewer(asked.prompt)})


def environment(server: ModelServer) -> dict[str, str]:
    """What names the server for either vendor."""
    return {
        "ANTHROPIC_API_KEY": "placeholder",
        "ANTHROPIC_BASE_URL": server.url,
        "OPENAI_API_KEY": "placeholder",
        "OPENAI_BASE_URL": f"{server.url}/v1",
    }


@contextmanager
def reader_of(
    answer: Callable[[Asked], Reply],
    vendor: str = "openai",
    *,
    cache: Path | None = None,
    price: Price | None = None,
    most_usd: float | None = None,
    seconds: float = 60,
) -> Iterator[tuple[ModelReader, ModelServer]]:
    """A reader through the real SDK of a vendor, and the server it asks."""
    budget = Budget(price, most_usd, seconds)
    with serving(answer) as server:
        yield (
            open_reader(f"{vendor}:m-1", environment(server), budget=budget, cache=cache),
            server,
        )


class OwnClient:
    """A model client without a server, whose answers come with usage or without."""

    def __init__(self, reviewer: Reviewer, usage: Usage | None = None) -> None:
        self._reviewer = reviewer
        self._usage = usage

    def ask(self, request: ModelRequest) -> ModelAnswer:
        content = {"findings": self._reviewer(request.prompt)}
        return ModelAnswer.model_validate(
            {"model": "own", "content": content, "usage": self._usage}
        )


class OwnReader:
    """A reader without a model: it keeps what it was given, and answers by a function."""

    def __init__(self, reviewer: Reviewer) -> None:
        self._reviewer = reviewer
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        return "own:reader"

    def read(self, prompt: Prompt) -> Reading:
        self.prompts.append(prompt)
        found = self._reviewer(prompt.text)
        return Reading("own", tuple(ReaderFinding.model_validate(one) for one in found))

    def account(self, samples: int) -> Account:
        return Meter().account(samples, None, None)


def shown_files(prompt: Prompt) -> list[str]:
    """The paths in the order in which a prompt gives them, by its lines alone."""
    (mark,) = re.findall(r"^The mark of this message: (\w+)$", prompt.text, re.MULTILINE)
    return re.findall(rf"^{mark} file \d+ begins \([a-z ]+\): (.+)$", prompt.text, re.MULTILINE)
