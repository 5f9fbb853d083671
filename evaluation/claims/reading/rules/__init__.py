"""Reads claims by rules: what the words say stands in ``vocabulary.toml``, what they mean is resolved to the record."""
