"""The `llm` generator: a model writes the documents once, and builds use what it wrote."""
