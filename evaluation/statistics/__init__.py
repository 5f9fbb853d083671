"""How sure are we? Estimates with intervals, comparisons and tables over many benchmark runs."""
