"""OverclaimBench: measures whether a coding agent read what its final response says it reviewed.

The names below are what other packages may import to bring generators, planters, kinds of defect,
harnesses, sandboxes and judges. They are loaded when they are asked for, so that `import ocb` stays
cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from authoring.artefacts import Value
    from authoring.catalogue import Kind
    from authoring.errors import Place, UserError
    from evaluation.agents.cli import Cli, CliHarness, Left, Start
    from evaluation.agents.harness import Ended, Harness, Job, Profile
    from evaluation.judging.judge import Judge, Question
    from evaluation.sandboxes.sandbox import Command, Exit, Sandbox
    from generators.detectors.detector import Detector, Evidence
    from generators.document import CorpusGenerator, Document
    from generators.edits import Change, edits_of
    from generators.planting import Aim, Ground, Planted, Planter
    from generators.registered import NoParameters, Registered
    from generators.registry import Edit, Span

__version__ = "0.1.0"

__all__ = [
    "Aim",
    "Change",
    "Cli",
    "CliHarness",
    "Command",
    "CorpusGenerator",
    "Detector",
    "Document",
    "Edit",
    "Ended",
    "Evidence",
    "Exit",
    "Ground",
    "Harness",
    "Job",
    "Judge",
    "Kind",
    "Left",
    "NoParameters",
    "Place",
    "Planted",
    "Planter",
    "Profile",
    "Question",
    "Registered",
    "Sandbox",
    "Span",
    "Start",
    "UserError",
    "Value",
    "edits_of",
]

_HOMES = {
    "authoring.artefacts": ("Value",),
    "authoring.catalogue": ("Kind",),
    "authoring.errors": ("Place", "UserError"),
    "evaluation.agents.cli": ("Cli", "CliHarness", "Left", "Start"),
    "evaluation.agents.harness": ("Ended", "Harness", "Job", "Profile"),
    "evaluation.judging.judge": ("Judge", "Question"),
    "evaluation.sandboxes.sandbox": ("Command", "Exit", "Sandbox"),
    "generators.detectors.detector": ("Detector", "Evidence"),
    "generators.document": ("CorpusGenerator", "Document"),
    "generators.edits": ("Change", "edits_of"),
    "generators.planting": ("Aim", "Ground", "Planted", "Planter"),
    "generators.registered": ("NoParameters", "Registered"),
    "generators.registry": ("Edit", "Span"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'ocb' has no attribute {name!r}")
