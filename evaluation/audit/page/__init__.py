"""The page of an audit: the files line by line, what entered shaded, and the claims."""
