"""Readers of logs that others made."""
