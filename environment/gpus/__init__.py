"""NVIDIA cards: which there are, who holds which, what a script sees of them, and what it used.

* ``card``, ``cards``, ``driver``: a card, all of them, and what is asked of the driver
* ``choice``: the words of ``--gpus``; ``leases``: who holds which
* ``view``: what a sandbox shows; ``watching``: what was used
"""
