"""The third stage: proves a build's needles before anyone pays for a run, and seals it."""
