"""The view of runs in MLflow; it can be made again from the store.

* ``mirror``: keeps MLflow up with a run without holding it up
* ``view``: benchmark runs; ``training``: training runs nested in them; ``traces``: steps
* ``metrics``, ``names``: curves, figures, names and values as MLflow takes them
* ``database``: opens MLflow quietly and with bounded patience
"""
