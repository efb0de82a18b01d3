"""Detectors of what goes wrong in the logs of a night."""
