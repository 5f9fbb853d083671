"""Folders saved and put back at the cost of what changed.

* ``trees``: saving and restoring, whole
* ``scan``: reads what has changed and stores it
* ``manifest``: what a snapshot is made of
* ``restoring``: puts a folder back, touching only what differs
* ``statcache``: which files need not be read again
* ``walk``: walks a folder that an untrusted script has made
"""
