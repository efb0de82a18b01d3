"""Session readers: one file per format, each giving a trajectory."""
