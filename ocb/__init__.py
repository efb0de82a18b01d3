"""OverclaimBench: measures whether a coding agent read what its final response says it reviewed."""

__version__ = "0.1.0"
