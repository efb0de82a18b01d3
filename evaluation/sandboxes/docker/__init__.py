"""A sandbox of the Docker Engine: a container for each run, an image made without a registry."""
