"""Where the agent acts.

* ``records``: what is journalled, stored and handed from room to room
* ``store``: everything that must outlive the machine, as whole objects under keys
* ``snapshots``: folders saved and put back at the cost of what changed
* ``journal``: what was decided, executed and committed; who works a run; its tables
* ``workspace``: the agent's folder, its paths, and earlier contents of its files
* ``actions``: what the agent can do, each a typed record
* ``gateway``: models and literature offered to scripts over a socket
* ``gpus``: which cards there are, who holds which, what they were used for
* ``repl``: the Python session that outlives its commands
* ``metrics``: the only reader of scripts' outputs: named values with split, epoch and line
* ``training``: scripts run as training runs
* ``mlflow``: the view of runs, training runs and steps in MLflow
* ``sandbox``: where scripts run, and the suite that every kind of sandbox passes

Beside them: ``acting`` carries the agent's actions out, ``budgets`` and ``limits`` bound it, ``integrity``
notes what it tried, ``literature`` finds papers.
"""
