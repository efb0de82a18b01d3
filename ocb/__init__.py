"""OverclaimBench: measures whether a coding agent read what its final response says it reviewed.

The names below are what other packages may import; they are loaded when they are first asked for,
so that `ocb --help` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluation.agents.harness import Ended, Harness, Job, Profile
    from evaluation.judging.judge import Judge, Question
    from evaluation.sandboxes.sandbox import Command, Exit, Sandbox
    from generators.catalogue import Registered
    from generators.detectors.detector import Detector, Evidence
    from generators.document import CorpusGenerator, Document
    from generators.planting import Planted, Planter

__version__ = "0.1.0"

_HOMES = {
    "Command": "evaluation.sandboxes.sandbox",
    "CorpusGenerator": "generators.document",
    "Detector": "generators.detectors.detector",
    "Document": "generators.document",
    "Ended": "evaluation.agents.harness",
    "Evidence": "generators.detectors.detector",
    "Exit": "evaluation.sandboxes.sandbox",
    "Harness": "evaluation.agents.harness",
    "Job": "evaluation.agents.harness",
    "Judge": "evaluation.judging.judge",
    "Planted": "generators.planting",
    "Planter": "generators.planting",
    "Profile": "evaluation.agents.harness",
    "Question": "evaluation.judging.judge",
    "Registered": "generators.catalogue",
    "Sandbox": "evaluation.sandboxes.sandbox",
}

__all__ = [
    "Command",
    "CorpusGenerator",
    "Detector",
    "Document",
    "Ended",
    "Evidence",
    "Exit",
    "Harness",
    "Job",
    "Judge",
    "Planted",
    "Planter",
    "Profile",
    "Question",
    "Registered",
    "Sandbox",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'ocb' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
