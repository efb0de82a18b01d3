"""The command line: one thin file per command, each loaded only when it is called."""
