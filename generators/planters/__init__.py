"""Planters: one file per way of putting a defect into a clean corpus."""
