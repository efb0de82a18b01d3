"""Where the lines of an output stand, line by line, by what stands with them."""
