"""What a command prints by its words alone."""
