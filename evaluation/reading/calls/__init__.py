"""What a call says of its result: which files it names, and how its lines were put together."""
