"""Claims: what an agent says about its results, and what the record says about that."""
