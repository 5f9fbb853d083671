"""The formats of logs, in the order in which they are asked whether a file is theirs."""

from __future__ import annotations

from evaluation.importers.importer import Importer
from foundation.plugins import BuiltIn, Plugins

IMPORTERS: Plugins[Importer] = Plugins(
    "importers",
    {
        "mlagentbench": BuiltIn("evaluation.importers.mlagentbench:MLAGENTBENCH", "MLAgentBench log folders"),
        "inspect-eval": BuiltIn("evaluation.importers.inspect_logs:INSPECT_EVAL", "Inspect .eval archives"),
        "atif": BuiltIn("evaluation.importers.atif:ATIF", "ATIF trajectories, as Harbor writes them"),
        "mlgym": BuiltIn("evaluation.importers.mlgym:MLGYM", "MLGym .traj"),
        "aide": BuiltIn("evaluation.importers.aide:AIDE", "AIDE journal.json"),
        "inspect-json": BuiltIn("evaluation.importers.inspect_logs:INSPECT_JSON", "Inspect logs as JSON"),
        "compact": BuiltIn("evaluation.importers.compact:COMPACT", "compact JSON: a source and its steps"),
    },
)
