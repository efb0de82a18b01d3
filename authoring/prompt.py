"""The task prompt of a run: two Jinja2 texts of the spec, made one in a sandbox.

They may use variables, `if` with comparisons, and filters that change letters. All else is refused
before anything is run, so that no loop, product or recursion hangs a command or fills its memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import jinja2
from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from authoring.errors import UserError, nearest
from authoring.spec import Condition, ScenarioSpec

INSTRUCTION_VARIABLES = frozenset({"files", "folder"})
PROMPT_VARIABLES = INSTRUCTION_VARIABLES | {"instruction"}

ALLOWED = (
    nodes.And,
    nodes.Compare,
    nodes.CondExpr,
    nodes.Const,
    nodes.If,
    nodes.Name,
    nodes.Not,
    nodes.Operand,
    nodes.Or,
    nodes.Output,
    nodes.Template,
    nodes.TemplateData,
)
"""Their result is no longer than template and values, and takes no longer to make."""
FILTERS = frozenset({"capitalize", "lower", "title", "trim", "upper"})
MOST_CHARACTERS = 20_000
"""Of a template: many times a long prompt."""
MOST_DEPTH = 40
"""Of the tree. Jinja2's compiler looks ahead from every level, so that time grows by the cube."""
WORDS: Mapping[type[nodes.Node], str] = {
    nodes.Assign: "variables of its own",
    nodes.BinExpr: "arithmetic",
    nodes.Concat: "joining of texts",
    nodes.For: "loops",
    nodes.Call: "calls",
    nodes.Getattr: "attributes",
    nodes.Getitem: "items",
    nodes.Macro: "macros",
    nodes.UnaryExpr: "arithmetic",
}
"""What is refused, to people; any other thing goes by Jinja2's name."""
LOADING = (nodes.Extends, nodes.FromImport, nodes.Import, nodes.Include)
SAMPLES: dict[str, str | int] = {"instruction": "-", "files": 2, "folder": "/home/dev"}


class TemplateError(UserError):
    """A template that cannot be used. `line` counts from 1 in the template's own text."""

    def __init__(self, what: str, *, line: int = 1, variable: str = "") -> None:
        self.line = line
        self.variable = variable
        """The unknown variable, where that is the fault."""
        super().__init__(what)


def render_prompt(spec: ScenarioSpec, condition: Condition, *, files: int, folder: str) -> str:
    """What the agent is asked. `files` is how many are under review, `folder` as the agent sees it.

    Raises UserError where the spec has no such condition or a template cannot be rendered.
    """
    if condition not in spec.task.conditions:
        raise UserError(
            f"{spec.id} has no condition {condition!r}",
            remedy=nearest(condition, spec.task.conditions),
        )
    instruction = render(spec.task.conditions[condition], {"files": files, "folder": folder})
    return render(
        spec.task.prompt,
        {"files": files, "folder": folder, "instruction": instruction.strip()},
    )


def render(template: str, variables: dict[str, str | int]) -> str:
    """A template with its variables, and no other name at all. Raises TemplateError."""
    environment = _environment()
    with _faults_told():
        tree = _parsed(environment, template)
        for fault in _refused(tree):
            raise fault
        return environment.from_string(tree).render(variables)


def template_faults(template: str, variables: frozenset[str]) -> tuple[TemplateError, ...]:
    """All that is wrong with a template that may use `variables`."""
    try:
        with _faults_told():
            tree = _parsed(_environment(), template)
            faults = (*_refused(tree), *_unknown(tree, variables))
        if not faults:
            render(template, {name: SAMPLES[name] for name in variables})
    except TemplateError as fault:
        return (fault,)
    return faults


@contextmanager
def _faults_told() -> Iterator[None]:
    """Whatever a template makes Jinja2 and Python's compiler raise, as a TemplateError."""
    try:
        yield
    except TemplateSyntaxError as error:
        raise TemplateError(error.message or "is no template", line=error.lineno) from error
    except (RecursionError, MemoryError, SyntaxError) as error:
        # Each call of Python's is counted, its compiler's too: too deep a nesting ends as an error.
        raise TemplateError("is nested too deep") from error
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise TemplateError(f"cannot be rendered: {error}") from error


def _parsed(environment: ImmutableSandboxedEnvironment, template: str) -> nodes.Template:
    """The tree of a template, of which nothing is run."""
    if len(template) > MOST_CHARACTERS:
        raise TemplateError(f"is longer than {MOST_CHARACTERS} characters")
    tree = environment.parse(template)
    waiting: list[tuple[nodes.Node, int]] = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MOST_DEPTH:
            raise TemplateError("is nested too deep", line=node.lineno)
        waiting += ((child, depth + 1) for child in node.iter_child_nodes())
    return tree


def _refused(tree: nodes.Template) -> Iterator[TemplateError]:
    """What a prompt has no use for: once for each sort of it."""
    seen: set[str] = set()
    for node in tree.find_all(nodes.Node):
        what = _fault(node)
        if what and what not in seen:
            seen.add(what)
            yield TemplateError(what, line=node.lineno)


def _fault(node: nodes.Node) -> str:
    if isinstance(node, LOADING):
        return "a prompt cannot load other templates"
    if isinstance(node, nodes.Filter):
        plain = node.name in FILTERS and not (node.args or node.kwargs or node.dyn_args)
        known = ", ".join(sorted(FILTERS))
        return "" if plain else f"a prompt has no filter {node.name!r}, but {known} without more"
    if isinstance(node, ALLOWED):
        return ""
    own = next((word for kind, word in WORDS.items() if isinstance(node, kind)), "")
    word = own or type(node).__name__.lower()
    return f"a prompt uses variables and `if` alone, and no {word}"


def _unknown(tree: nodes.Template, variables: frozenset[str]) -> Iterator[TemplateError]:
    """Names that are not among the variables, nor made in the template: once each."""
    names = list(tree.find_all(nodes.Name))
    made = {node.name for node in names if node.ctx != "load"}
    for name in sorted({node.name for node in names} - made - variables):
        line = min(node.lineno for node in names if node.name == name)
        yield TemplateError(f"unknown variable {name!r}", line=line, variable=name)


def _environment() -> ImmutableSandboxedEnvironment:
    # Without autoescape: the result is a prompt, plain text, and not HTML.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals.clear()
    return environment
