"""Grading apart from a run.

* ``flow``: grading as a flow of its own
* ``again``: grades what the store holds, without the agent
* ``proofs``: cheats gain nothing on a task, broken submissions are refused
"""
