"""How much a corpus is like real text of its kind, measured on both at once."""
