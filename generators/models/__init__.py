"""Asking a model: one call, an answer of one shape, kept on disk, within a sum of money."""
