"""Servers and workers.

* ``processes``: processes that outlive their command and are shared
* ``server``: the Prefect server of a run; ``prefect_server``: the program it is;
  ``prefect_changes``, ``late_building``: what is changed of it
* ``own_pages``: keeps other sites out; ``password``: keeps other people out; ``sign_in``: the owner's way in
* ``mlflow_server``: MLflow's pages; ``mlflow_pages``: the program they are
* ``worker``: a worker of this machine
* ``turns``: how many calls one model provider gets at once
* ``variables``: what must be set before Prefect and MLflow are imported
"""
