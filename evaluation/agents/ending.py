"""How a CLI's end is told in one line, whatever it printed."""

from __future__ import annotations

from pathlib import Path

from evaluation.sandboxes.process import tail

LONGEST = 300
"""Characters of a fault that a reader is shown."""
SIGNALLED = 128


def one_line(text: str) -> str:
    """Printable characters on one line, cut where it is too long."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= LONGEST else clean[: LONGEST - 1] + "…"


def exit_fault(code: int, stderr: Path) -> str:
    """An exit code in words, with what the program said last."""
    how = f"signal {code - SIGNALLED}" if code > SIGNALLED else f"exit code {code}"
    return one_line(f"{how}: {tail(stderr)}".removesuffix(": "))
