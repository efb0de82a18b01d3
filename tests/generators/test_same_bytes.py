"""Every generator of a shipped scenario writes the same bytes in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import hashlib, random, sys
from generators.catalogue import installed
made = installed().generator(sys.argv[1], {}, random.Random(4)).documents()
text = "".join(f"{d.path}{d.kind}{d.text}" for d in made)
print(hashlib.sha256(text.encode()).hexdigest())
"""
SETTINGS = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "77", "LC_ALL": "de_DE.UTF-8", "TZ": "Pacific/Kiritimati"},
)


@pytest.mark.parametrize("generator", ["contracts", "expenses", "incidents", "services", "trial"])
def test_the_same_bytes_whatever_the_process_locale_and_time_zone(generator: str) -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, generator],
            cwd=ROOT,
            env=os.environ | setting,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for setting in SETTINGS
    }
    assert len(digests) == 1
