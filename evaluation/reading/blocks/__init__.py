"""The same places as line by line, for whole blocks at once."""
