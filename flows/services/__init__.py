"""Servers, workers and deployments.

* ``processes``: processes that outlive their command and are shared
* ``server``: the Prefect server of a run; ``prefect_server``: the program it is
* ``mlflow_server``, ``worker``: MLflow's pages, and a worker of this machine
* ``deploying``: pools, limits, deployments, automations
* ``deployed_run``: a worker's run followed from here
* ``variables``: what must be set before Prefect and MLflow are imported
"""
