"""The command line.

* ``app``, ``after_runs``, ``groups``: signatures and help; nothing heavy is imported
* ``commands``: what each command does
* ``options``, ``output``, ``failure``: shared options, how results and errors are printed
* ``live``: a run as it happens
* ``structured``: a language model that fills in a record, outside of a run
"""
