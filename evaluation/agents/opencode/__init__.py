"""OpenCode: one native program, over any OpenAI-compatible server."""
