"""Servers, workers and deployments.

* ``processes``: processes that outlive their command and are shared
* ``server``: the Prefect server of a run; ``prefect_server``: the program it is
* ``own_pages``: keeps other sites out; ``password``: keeps other people out; ``sign_in``: the owner's way in
* ``mlflow_server``: MLflow's pages; ``mlflow_pages``: the program they are
* ``worker``: a worker of this machine
* ``deploying``: pools, limits, deployments, automations
* ``deployed_run``: a worker's run followed from here
* ``variables``: what must be set before Prefect and MLflow are imported
"""
