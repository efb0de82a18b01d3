"""Claude Code, Anthropic's command-line agent."""
