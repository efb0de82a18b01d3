"""Names of what a CLI printed, kept beside its session and no part of it."""

from __future__ import annotations

STDOUT = "stdout.jsonl"
STDERR = "stderr.txt"
