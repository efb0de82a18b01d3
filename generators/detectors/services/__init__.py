"""Detectors of defects in services: by syntax tree for Python, by structure for YAML and SQL."""
