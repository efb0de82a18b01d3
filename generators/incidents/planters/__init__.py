"""Planters for logs: they know what a series of lines, a time, a login and a ticket are."""
