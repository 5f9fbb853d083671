"""All that takes a run long to load or to make, for the process that a local sweep forks its runs off.

Importing this module does it, since that is all that such a process can be asked for. What is named here is otherwise
imported only once it is used, so that commands which do not use it are quick.
"""

from __future__ import annotations

import gc
from importlib import import_module

# Nothing of this is ever let go of: looking for what could be takes a third of a second, and would do so in each run.
gc.disable()

for _module in (
    "environment.mlflow.view",
    "environment.sandbox.bubblewrap",
    "evaluation.report.collect",
    "evaluation.report.write",
    "flows.run.flow",
    "mlflow.store.tracking.sqlalchemy_store",
    "plotly.offline",
    "prefect.flow_engine",
    "prefect.task_engine",
):
    import_module(_module)

_templates = import_module("evaluation.report.html").templates()
for _name in _templates.list_templates(extensions=["j2"]):
    _templates.get_template(_name)  # which compiles it

gc.freeze()
gc.enable()
