"""What tasks are made of.

* ``spec``: ``task.toml`` as a typed record; ``folder``: a task folder, read and checked; ``errors``
* ``prepare``: makes a task's data once; ``data``: raw files and where they come from
* ``grade``, ``submissions``, ``trials``: what a grader returns, reads and is given; ``grader``: runs it;
  ``imports``: looks for its libraries beforehand
* ``extras``, ``modules``, ``leaks``: optional libraries, a task's own code, ways to hidden labels
* ``foreign``: tasks of other benchmarks; ``skeleton``: a new task
"""
