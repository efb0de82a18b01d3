"""Detectors: one per kind of defect, each able to find it in any file of its kind of corpus."""
