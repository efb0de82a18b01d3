"""`validation.html`: the checks of a build as a page that a person can go through."""
