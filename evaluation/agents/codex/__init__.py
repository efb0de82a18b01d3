"""Codex, OpenAI's command-line agent."""
