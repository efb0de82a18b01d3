"""The task prompt of a run: two Jinja2 texts of the spec, made one in a sandbox."""

from __future__ import annotations

import jinja2
from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment

from authoring.errors import UserError, nearest
from authoring.spec import Condition, ScenarioSpec

INSTRUCTION_VARIABLES = frozenset({"files", "folder"})
PROMPT_VARIABLES = INSTRUCTION_VARIABLES | {"instruction"}


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
    try:
        return _environment().from_string(template).render(variables)
    except TemplateSyntaxError as error:
        raise TemplateError(error.message or "is no template", line=error.lineno) from error
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise TemplateError(f"cannot be rendered: {error}") from error


def template_faults(template: str, variables: frozenset[str]) -> tuple[TemplateError, ...]:
    """All that is wrong with a template that may use `variables`."""
    environment = _environment()
    try:
        tree = environment.parse(template)
        environment.compile(template)
    except TemplateSyntaxError as error:
        return (TemplateError(error.message or "is no template", line=error.lineno),)
    loads = (nodes.Extends, nodes.FromImport, nodes.Import, nodes.Include)
    faults = [
        TemplateError("a prompt cannot load other templates", line=node.lineno)
        for node in tree.find_all(loads)
    ]
    for name in sorted(find_undeclared_variables(tree) - variables):
        line = min(node.lineno for node in tree.find_all(nodes.Name) if node.name == name)
        faults.append(TemplateError(f"unknown variable {name!r}", line=line, variable=name))
    if not faults:
        samples: dict[str, str | int] = {"instruction": "-", "files": 2, "folder": "/home/dev"}
        try:
            render(template, {name: samples[name] for name in variables})
        except TemplateError as fault:
            faults.append(fault)
    return tuple(faults)


def _environment() -> ImmutableSandboxedEnvironment:
    # Without autoescape: the result is a prompt, plain text, and not HTML.
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.globals.clear()
    return environment
