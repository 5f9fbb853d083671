"""From prose to claims about rows of the record: by a language model, by rules, or cited by the agent itself."""
