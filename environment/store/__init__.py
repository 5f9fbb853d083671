"""The store: everything that must outlive the machine.

* ``objects``: whole objects under keys, sealed and checked
* ``backends``: where the bytes lie: a local folder, or anything fsspec knows
* ``faults``: what file systems raise, in words
* ``layout``: where everything lies in the store and on this machine
"""

from environment.store.layout import (
    OBJECTS,
    RUNS,
    SWEEPS,
    WAITING,
    LocalLayout,
    RunKeys,
    lease_key,
    object_key,
    sweep_key,
    sweep_leases,
    waiting_key,
)
from environment.store.objects import CHUNK, Names, Store, digest_of, sealed

__all__ = [
    "CHUNK",
    "OBJECTS",
    "RUNS",
    "SWEEPS",
    "WAITING",
    "LocalLayout",
    "Names",
    "RunKeys",
    "Store",
    "digest_of",
    "lease_key",
    "object_key",
    "sealed",
    "sweep_key",
    "sweep_leases",
    "waiting_key",
]
