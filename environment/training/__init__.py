"""Scripts of the workspace run as training runs.

* ``runs``: runs a script and keeps all that it was and said
* ``scripts``: what a script says about itself
* ``logged``: what it logged to MLflow's files
"""
