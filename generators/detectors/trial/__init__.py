"""Detectors of defects in the records of a clinical trial, by rules over parsed records."""
