"""Rates over many scored runs, with their intervals."""
