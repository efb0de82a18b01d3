"""What a session shows: which lines of which files its model was given, and what it claims."""
