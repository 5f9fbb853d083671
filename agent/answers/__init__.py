"""Reads what a model wrote: named entries, an action, and its arguments."""
