"""Detectors that a spec makes by parameters alone, for kinds of defect of its own."""
