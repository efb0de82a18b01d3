"""Scripted reviewers with a known truth, served on loopback as if they were models."""
