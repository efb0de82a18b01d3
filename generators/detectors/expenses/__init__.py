"""Detectors of defects in expense reports, invoices, card statements and approvals."""
