"""The `directory` generator: real files of a folder, so that needles go into text of one's own."""
