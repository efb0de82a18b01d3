"""The judge `rules`: word classes, phrase patterns and Markdown structure, without a model."""
