"""The built-in loop: list, read, search, delegate, over any OpenAI-compatible server."""
