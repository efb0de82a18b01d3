"""Defects in expense papers that need arithmetic, dates or a second paper."""
