"""In what order a benchmark runs.

* ``cli``: the command line and its commands
* ``run``: one benchmark run as a Prefect flow
* ``sweep``: many benchmark runs
* ``grading``: grading again, and proofs that a task holds
* ``deploying``: what people start in Prefect's interface
* ``services``: servers and workers

Beside them: ``settings`` of this machine, ``errors``, ``names`` and ``text`` that people read.
"""
