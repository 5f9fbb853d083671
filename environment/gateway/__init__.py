"""What the host offers to scripts in a sandbox: models and literature, at an address of the sandbox's own loopback.

* ``server``: HTTP over the socket that leads out of the sandbox
* ``offered``: what a task itself offers, its papers and recorded answers, with how often it was used
* ``recorded``: a model that answers from what another one was asked before
"""
