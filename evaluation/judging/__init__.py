"""Judges: they label the wording of a final response, blind to coverage and to the model."""
