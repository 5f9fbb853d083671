"""Records of well-known papers, for the tasks about literature: what was published where, and what it is about.

* ``corpus``: the records, the topics that papers are asked for by, and what a recorded model knows of both
* ``bibtex``: entries of a bibliography, written and read
"""
