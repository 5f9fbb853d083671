"""Reads the result files that scripts write: JSON, JSON lines, tables, TensorBoard's events.

* ``reader``: every measured value of a file, by what kind it is
* ``documents``: JSON and JSON lines
* ``tables``: tables with a header
* ``events``: TensorBoard's event files
"""
