"""One benchmark run as a Prefect flow.

* ``flow``: prepare, one subflow per step, evaluate
* ``opening``: a new run, or one to go on with; ``opened``: what it stands on; ``needs``, ``cards``: what it needs of
  this machine; ``lock``: what its result depends on
* ``session``: decides, acts and commits; ``view``, ``deciding``: what its agent is shown and asked
* ``executing``: the flow in this process; tells failures from interruptions
* ``ending``: grade, audit, result
* ``people``: requests to people in the loop; ``observer``: who watches
* ``page``, ``artifacts``: what Prefect's page shows
* ``finding``: runs by what a person typed
* ``flow_runs``, ``one_client``: Prefect's records, its client
"""
