"""The command line.

* ``app``: where it begins and ends
* ``tree``, ``runs``, ``after_runs``, ``comparisons``, ``machine``, ``groups``: signatures and help; they import little
* ``commands``: what each command does
* ``options``, ``output``, ``failure``: shared options, how results and errors are printed
* ``live``: a run as it happens
* ``structured``: a language model that fills in a record, outside of a run
"""
