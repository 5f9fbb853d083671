"""The journal of a run.

* ``entries``: what was decided, executed and committed, in that order; the truth
* ``calls``: the model answers of a run
* ``chain``: the entries as the store keeps them, each linked to the one before
* ``lease``: who works a run, one process at a time
* ``runs``: the runs of a store, as they stand
* ``damage``, ``removal``: what of a store is torn; runs that are no longer wanted
* ``tables``: trajectory, evidence and claims as Parquet
"""
