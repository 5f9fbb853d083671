"""Many benchmark runs from one file.

* ``spec``, ``cells``, ``exclusions``: the file, and the runs it asks for
* ``running``: what is done is skipped, what fails is tried again; ``flow``: the same as a Prefect flow
* ``lease``: one process at a time makes the runs of a sweep
* ``kept``: which runs a sweep counts as its own, as the store has it
* ``local``, ``deployed``: runs in processes of this machine, and through a deployment's workers
* ``preloaded``, ``loading``: what the process of local runs has ready
* ``failures``, ``outcome``: why a run failed, what became of it
* ``budget_share``, ``estimate``: money, and what is still to be expected
* ``best_of``: of runs that differ in their seed alone, the best on validation data counts
* ``progress``: what people see meanwhile
"""
