"""Gemini CLI, Google's command-line agent."""
