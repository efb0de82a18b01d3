"""The recording pass-through between agents and models, and what its record says."""
