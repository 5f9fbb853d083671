"""A search over scripts that a model writes.

* ``agent``: proposes, runs and measures node after node, and submits the best
* ``policy``: which node is worked on next
* ``prompt``: what the model is told, and how its answer is read
"""
