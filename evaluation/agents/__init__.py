"""Agents under test: one folder per CLI, the difference between them held as data."""
