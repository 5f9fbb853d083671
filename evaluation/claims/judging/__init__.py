"""What the judges of all claim types share: arithmetic over fields and the record, never over prose."""
