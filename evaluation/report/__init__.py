"""What a reader sees of many scored runs."""
