"""Readers of the logs of benchmarks and research systems."""
