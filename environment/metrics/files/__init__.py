"""Reads the result files that scripts write: JSON, JSON lines, YAML, tables, TensorBoard's events, MLflow's files.

* ``reader``: every measured value of a file, by what kind it is
* ``documents``: JSON, JSON lines and YAML
* ``tables``: tables with a header
* ``mlflow_files``: metrics in MLflow's store of files
* ``events``: TensorBoard's event files
"""
