from __future__ import annotations

import os
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from authoring.errors import UserError
from generators.document import Document
from generators.llm.generator import LlmGenerator
from generators.llm.parameters import LlmParameters
from generators.models.asking import ModelAnswer, ModelError, ModelRequest, Usage
from generators.models.cache import StoredCall
from generators.seeding import randomness

REWRITE = "OCB_REWRITE_GOLDENS"
SCAFFOLD = Path(__file__).parents[3] / "generators" / "llm" / "scaffold"

PARAMETERS = {
    "model": "m",
    "setting": "A harbour.\n",
    "cache": "answers",
    "documents": [
        {
            "kind": "berth",
            "path": "berths/{number}.md",
            "count": 2,
            "brief": "A berth agreement.",
            "must_hold": ["^Payable within \\d+ days$"],
        },
        {"kind": "rules", "path": "rules.md", "brief": "The rules."},
    ],
}

Write = Callable[[str, int], object]


class Writer:
    """A model that writes what a function says, by the path asked for and the number of the try."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self.prompts: list[str] = []

    def ask(self, request: ModelRequest) -> ModelAnswer:
        self.prompts.append(request.prompt)
        found = re.search(r"Write the file `([^`]+)`", request.prompt)
        assert found
        tries = sum(found[0] in prompt for prompt in self.prompts)
        return ModelAnswer(
            model=request.model,
            content={"text": self._write(found[1], tries)},
            usage=Usage(input_tokens=1, output_tokens=1),
        )


def good(path: str, _tries: int) -> str:
    return f"# {path}\r\n\r\nPayable within 30 days\n\n\n"


def documents(writer: Writer, base: Path, seed: int = 1, **change: object) -> list[Document]:
    parameters = LlmParameters.model_validate(PARAMETERS | change)
    generator = LlmGenerator(parameters, random.Random(seed), base=base, connect=lambda: writer)
    return list(generator.documents())


def test_documents_come_in_the_order_of_the_spec_with_lines_that_end_in_lf(tmp_path: Path) -> None:
    made = documents(Writer(good), tmp_path)
    assert [(str(one.path), one.kind) for one in made] == [
        ("berths/01.md", "berth"),
        ("berths/02.md", "berth"),
        ("rules.md", "rules"),
    ]
    assert made[0].text == "# berths/01.md\n\nPayable within 30 days\n"


def test_the_prompt_says_what_the_spec_says(tmp_path: Path) -> None:
    writer = Writer(good)
    documents(writer, tmp_path)
    first, _, rules = writer.prompts
    assert "A harbour." in first
    assert "number 1 of 2 of this kind (berth)" in first
    assert "A berth agreement." in first
    assert "- ^Payable within \\d+ days$" in first
    assert "regular expressions" not in rules
    assert "last try" not in first


def test_the_second_time_no_model_is_asked(tmp_path: Path) -> None:
    made = documents(Writer(good), tmp_path)
    silent = Writer(lambda _path, _tries: None)
    assert documents(silent, tmp_path) == made
    assert silent.prompts == []
    assert len(list((tmp_path / "answers").iterdir())) == 3


def test_another_seed_asks_for_other_documents(tmp_path: Path) -> None:
    documents(Writer(good), tmp_path)
    again = Writer(good)
    documents(again, tmp_path, seed=2)
    assert len(again.prompts) == 3


def test_a_document_without_its_anchor_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    writer = Writer(lambda path, tries: "Nothing.\n" if tries == 1 else good(path, tries))
    made = documents(writer, tmp_path)
    assert "Payable" in made[0].text
    assert len(writer.prompts) == 5
    assert "Your last try was not used: '^Payable within" in writer.prompts[1]
    assert "matches 0 times" in writer.prompts[1]


UNFIT: dict[str, tuple[Write, type[Exception], str]] = {
    "never the anchor": (lambda _p, _t: "No.\n", UserError, "matches 0 times, after 2 attempts"),
    "the anchor twice": (
        lambda _p, _t: "Payable within 3 days\nPayable within 4 days\n",
        UserError,
        "matches 2 times",
    ),
    "nothing": (lambda _p, _t: " \n", UserError, "it is empty"),
    "no text": (lambda _p, _t: 5, ModelError, "the answer is no document"),
}


@pytest.mark.parametrize(("write", "kind", "message"), UNFIT.values(), ids=UNFIT)
def test_a_document_that_cannot_be_used_is_told(
    tmp_path: Path, write: Write, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        documents(Writer(write), tmp_path, attempts=2)


def test_a_cap_holds_over_all_documents(tmp_path: Path) -> None:
    price = {"input": 0, "output": 1000}
    with pytest.raises(UserError, match="raise most_usd"):
        documents(Writer(good), tmp_path, price=price, most_usd=1, most_tokens=2000)
    made = documents(Writer(good), tmp_path, price=price, most_usd=1, most_tokens=900)
    assert len(made) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"most_usd": 1}, "most_usd needs a price"),
        ({"documents": []}, "at least 1 item"),
        (
            {"documents": [{"kind": "a", "path": "a.md", "count": 2, "brief": "b"}]},
            r"path holds no \{number\}",
        ),
    ],
    ids=["a cap without a price", "no document", "a path for two files"],
)
def test_parameters_that_cannot_be_meant_are_refused(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        LlmParameters.model_validate(PARAMETERS | change)


def test_without_the_extra_the_remedy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "generators.models.anthropic", raising=False)
    monkeypatch.setitem(sys.modules, "anthropic", None)
    generator = LlmGenerator(
        LlmParameters.model_validate(PARAMETERS), random.Random(1), base=tmp_path
    )
    with pytest.raises(UserError, match=r"pip install 'overclaimbench\[llm\]'"):
        list(generator.documents())


def test_the_samples_answer_what_the_scaffold_asks(tmp_path: Path) -> None:
    """After a change of prompt or scaffold, OCB_REWRITE_GOLDENS=1 asks the samples anew."""
    spec = yaml.safe_load((SCAFFOLD / "spec.yaml").read_text())
    parameters = LlmParameters.model_validate(spec["corpus"]["parameters"] | {"cache": "files"})
    samples = sorted((SCAFFOLD / "files").glob("*.json"))
    stored = [StoredCall.model_validate_json(path.read_bytes()) for path in samples]

    def sample(path: str, _tries: int) -> object:
        (one,) = (call for call in stored if f"`{path}`" in call.request.prompt)
        return one.answer.content["text"]

    def made_in(base: Path) -> set[str]:
        source = randomness(spec["seed"], "corpus", "llm")
        generator = LlmGenerator(parameters, source, base=base, connect=lambda: Writer(sample))
        assert len(list(generator.documents())) == len(samples)
        return {path.name for path in (base / "files").iterdir()}

    expected = made_in(tmp_path)
    if os.environ.get(REWRITE) == "1":
        for path in samples:
            path.unlink()
        made_in(SCAFFOLD)
    assert {path.name for path in (SCAFFOLD / "files").iterdir()} == expected
