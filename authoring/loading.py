"""From the YAML file of a scenario to its typed value, or to every problem at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from authoring.catalogue import Catalogue
from authoring.errors import Place, Problem, SpecError
from authoring.inert import controls
from authoring.naming import NamedThings
from authoring.own_words import own_words
from authoring.prompt import (
    INSTRUCTION_VARIABLES,
    PROMPT_VARIABLES,
    SAMPLES,
    TemplateError,
    render,
    template_faults,
)
from authoring.spec import ScenarioSpec
from authoring.typed import to_typed
from authoring.yaml_source import Mapping, Node, Scalar, YamlSource, entries_at, node_at, parse_yaml

SHOWN = 3
"""Characters that a problem names."""
MOST_LETTERS = 63
"""Of an id."""
MOST_DIGITS = 4
"""A needle that is to be planted more often than this can count is refused by its type."""

SpecType = TypeVar("SpecType", bound=ScenarioSpec)


def load_spec(path: Path, catalogue: Catalogue) -> ScenarioSpec:
    """The scenario of one file, with the parameters of generator and planters typed by their kinds.

    Raises SpecError with every problem, each with its code, file, line and column.
    """
    return load_spec_as(path, ScenarioSpec, catalogue)


def load_spec_as(path: Path, kind: type[SpecType], catalogue: Catalogue | None) -> SpecType:
    """The same for a spec that holds more. Without a catalogue names are not checked."""
    source = parse_yaml(path)
    typed = to_typed(source.root, kind, place=source.root.place)
    problems = [*source.problems]
    problems += (_recoded(problem, source.root) for problem in typed.problems)
    problems += _needle_problems(source.root)
    problems += _size_problems(source.root)
    problems += _range_problems(source.root)
    problems += _template_problems(source)
    problems += _condition_problems(source.root)
    problems += _character_problems(source.root)
    named = NamedThings.check(source.root, catalogue) if catalogue else None
    problems += named.problems if named else ()
    if problems or typed.value is None:
        raise SpecError(dict.fromkeys(problems))
    return named.put_into(typed.value) if named else typed.value


def _recoded(problem: Problem, root: Node) -> Problem:
    """An encoding that cannot be loaded here has a code of its own."""
    encoding = node_at(root, "budget", "encoding")
    if isinstance(encoding, Scalar) and problem.place == encoding.place:
        what = f"the encoding {encoding.text!r} cannot be loaded"
        return Problem("encoding-not-available", problem.place, what, "valid: cl100k_base")
    return problem


def _needle_problems(root: Node) -> Iterator[Problem]:
    seen: dict[str, Place] = {}
    for needle in entries_at(root, "needles"):
        name = node_at(needle.value, "id")
        if not isinstance(name, Scalar):
            continue
        for copy in _ids(name.text, needle.value):
            if copy in seen:
                what = f"id {copy!r} is taken by the needle in line {seen[copy].line}"
                yield Problem("duplicate-id", name.place, what)
            elif len(copy) > MOST_LETTERS and copy != name.text:
                what = f"id {copy!r}, of a copy, is longer than {MOST_LETTERS} characters"
                yield Problem("bad-value", name.place, what)
            seen.setdefault(copy, name.place)


def _ids(name: str, needle: Node) -> Iterator[str]:
    """The id of a needle, and those of its copies in whatever size has most of them."""
    yield name
    counts = [entry.value for entry in entries_at(needle, "copies")]
    numbers = [
        int(node.text)
        for node in counts
        if isinstance(node, Scalar) and len(node.text) < MOST_DIGITS and node.text.isdecimal()
    ]
    yield from (f"{name}-{number}" for number in range(2, max(numbers, default=1) + 1))


def _size_problems(root: Node) -> Iterator[Problem]:
    """What can be built must have a budget, and there must be something to build and to ask."""
    for keys in (("corpus", "sizes"), ("task", "conditions")):
        node = node_at(root, *keys)
        if isinstance(node, Mapping) and not node.entries:
            yield Problem("bad-value", node.place, f"{keys[-1]} names none")
    budget = node_at(root, "budget", "corpus")
    if isinstance(budget, Mapping):
        for size in entries_at(root, "corpus", "sizes"):
            if budget.entry(size.key) is None:
                what = f"key {size.key!r} is missing: a size needs its budget"
                yield Problem("missing-key", budget.place, what)


def _range_problems(root: Node) -> Iterator[Problem]:
    ranges = [node_at(root, "budget", "file")]
    ranges += [entry.value for entry in entries_at(root, "budget", "corpus")]
    for node in ranges:
        least, most = node_at(node, "least"), node_at(node, "most")
        if not isinstance(least, Scalar) or not isinstance(most, Scalar):
            continue
        if least.text.isdecimal() and most.text.isdecimal() and int(least.text) > int(most.text):
            yield Problem("bad-value", least.place, f"least {least.text} is above most {most.text}")


def _character_problems(node: Node) -> Iterator[Problem]:
    """Texts that would act on a terminal, or on an agent's."""
    if isinstance(node, Scalar):
        found = list(dict.fromkeys(controls(node.text)))
        if found:
            what = f"holds characters that do not show: {', '.join(map(ascii, found[:SHOWN]))}"
            yield Problem("control-character", node.place, what, "take them out")
    for entry in entries_at(node):
        yield from _character_problems(entry.value)


def _template_problems(source: YamlSource) -> Iterator[Problem]:
    texts = [(node_at(source.root, "task", "prompt"), PROMPT_VARIABLES)]
    texts += [
        (entry.value, INSTRUCTION_VARIABLES)
        for entry in entries_at(source.root, "task", "conditions")
    ]
    for node, variables in texts:
        if isinstance(node, Scalar):
            for fault in template_faults(node.text, variables):
                code = "unknown-template-variable" if fault.variable else "template-syntax"
                remedy = f"valid: {', '.join(sorted(variables))}" if fault.variable else ""
                yield Problem(code, _inside(source, node, fault), fault.what, remedy)
            for word in own_words(node.text):
                what = f"holds {word!r}, a word that no agent may see"
                yield Problem("own-word", node.place, what, "say it otherwise")


def _condition_problems(root: Node) -> Iterator[Problem]:
    """Conditions that ask the same: a prompt without its instruction, or one instruction twice."""
    prompt = node_at(root, "task", "prompt")
    asked: dict[str, str] = {}
    for condition in entries_at(root, "task", "conditions"):
        if not isinstance(prompt, Scalar) or not isinstance(condition.value, Scalar):
            continue
        try:
            instruction = render(condition.value.text, SAMPLES)
            text = render(prompt.text, {**SAMPLES, "instruction": instruction.strip()})
        except TemplateError:
            continue  # told already
        if text in asked:
            what = f"condition {condition.key!r} asks the same as {asked[text]!r}"
            remedy = "let the prompt hold {{ instruction }}, and say something else in each"
            yield Problem("same-prompt", condition.value.place, what, remedy)
        asked.setdefault(text, condition.key)


def _inside(source: YamlSource, node: Scalar, fault: TemplateError) -> Place:
    """Where a fault stands: in a `|` block its very line, else where the text begins."""
    line = node.place.line + fault.line
    if not node.literal or line > len(source.lines):
        return node.place
    text = source.lines[line - 1]
    column = len(text) - len(text.lstrip()) + 1
    if fault.variable and (found := re.search(rf"\b{re.escape(fault.variable)}\b", text)):
        column = found.start() + 1
    return Place(source.path, line, column)
