"""Benchmarks that people start in Prefect's interface.

* ``register``: pools, limits, deployments, automations
* ``followed``: one run that a worker does, followed from here
"""
