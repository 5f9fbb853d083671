"""The folder the agent works in.

* ``folder``: the only way an action touches a file
* ``paths``: the agent's paths and the read-only patterns, as text
* ``places``: follows paths without ever passing through a link
* ``decoding``: the text of a file
* ``history``: earlier contents of changed files
"""
