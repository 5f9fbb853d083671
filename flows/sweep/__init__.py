"""Many benchmark runs from one file: expanded, skipped where done, run, retried, and counted."""
