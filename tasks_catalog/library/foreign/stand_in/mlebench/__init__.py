"""Stands in for the package that competitions of MLE-bench import from."""
