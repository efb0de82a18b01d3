"""Plans a sweep and runs it: many runs, bounded concurrency, resumable by run key."""
