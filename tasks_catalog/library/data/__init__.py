"""Raw files of tasks: fetched, checked, or made."""
