"""What a line of an output is, and where one can stand: what all ways to place lines share."""
