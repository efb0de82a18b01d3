"""Kinds of defect that any code can have, whoever wrote it."""
