"""What Python and which libraries a sandbox's scripts find."""

from __future__ import annotations

import json

from environment.records import Machine
from environment.sandbox.base import Command, Limits, Sandbox
from environment.snapshots.walk import scratch_folder
from foundation.processes import usable_cores
from foundation.sizes import MiB

KNOWN_LIBRARIES = (
    "numpy", "scipy", "pandas", "pyarrow", "polars", "scikit-learn", "xgboost", "lightgbm", "catboost", "optuna",
    "statsmodels", "torch", "torchvision", "torchaudio", "torch-geometric", "transformers", "tokenizers", "datasets",
    "timm", "accelerate", "sentence-transformers", "tensorflow", "keras", "jax", "flax", "numba", "networkx", "nltk",
    "spacy", "opencv-python", "opencv-python-headless", "pillow", "matplotlib", "mlflow",
)  # fmt: skip
"""Libraries that an agent is told of where they are there."""

_ASK = """
import importlib.metadata, json, platform
found = []
for name in %r:
    try:
        found.append(f"{name} {importlib.metadata.version(name)}")
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps({"python": platform.python_version(), "packages": found}))
"""


def machine_of(sandbox: Sandbox, limits: Limits) -> Machine:
    """What a script under some limits has in a sandbox; asked of the sandbox itself, which takes a moment."""
    with scratch_folder("mlab-probe-") as folder:
        asked = sandbox.run(Command(["python", "-I", "-c", _ASK % (KNOWN_LIBRARIES,)], workspace=folder, limits=limits))
    known = json.loads(asked.output) if asked.exit_code == 0 else {}
    return Machine(
        cores=min(limits.cpus or usable_cores(), usable_cores()),
        memory_mib=limits.memory and limits.memory / MiB,
        disk_mib=limits.workspace_size and limits.workspace_size / MiB,
        gpus=tuple(card.model for card in sandbox.cards) if limits.gpus else (),
        **known,
    )
