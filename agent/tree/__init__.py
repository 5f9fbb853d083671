"""A search over scripts that a model writes.

* ``agent``: proposes, runs and measures node after node, and submits the best
* ``overview``: what lies in the workspace, for a model that never looks for itself
* ``policy``: which node is worked on next
* ``prompt``: what the model is told, and how its answer is read
"""
