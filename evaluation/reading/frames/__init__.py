"""What may stand around lines that no tool's table and no common form knows."""
