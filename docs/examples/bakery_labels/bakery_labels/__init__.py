"""Product sheets of a bakery, and the defects that a review of them should find."""
