"""The `expenses` generator: expense reports, invoices, card statements, approvals, a policy."""
