"""Servers and workers.

* ``processes``: processes that outlive their command and are shared
* ``server``: the Prefect server of a run; ``prefect_server``: the program it is
* ``mlflow_server``, ``worker``: MLflow's pages, and a worker of this machine
* ``turns``: how many calls one model provider gets at once
* ``variables``: what must be set before Prefect and MLflow are imported
"""
