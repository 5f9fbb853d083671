"""The verdict on a claim of each type: arithmetic over its fields and the record, never over prose."""
