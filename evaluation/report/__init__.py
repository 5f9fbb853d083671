"""The report: one HTML file that opens offline, and the same figures for programs."""
