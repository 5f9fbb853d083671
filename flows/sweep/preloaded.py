"""All that takes a run long to load or to make, for the process that a local sweep forks its runs off.

Importing this module does it, since that is all that such a process can be asked for. What is named here is otherwise
imported only once it is used, so that commands which do not use it are quick.
"""

from __future__ import annotations

import gc
from functools import cache
from importlib import import_module

# Nothing of this is ever let go of: looking for what could be takes a third of a second, and would do so in each run.
gc.disable()

for _module in (
    "anyio._backends._asyncio",
    "environment.actions.edits",
    "environment.actions.patch",
    "environment.actions.repl",
    "environment.mlflow.view",
    "environment.sandbox.bubblewrap",
    "environment.sandbox.docker",
    "evaluation.report.collect",
    "evaluation.report.write",
    "flows.run.flow",
    "mlflow.store.tracking.sqlalchemy_workspace_store",
    "plotly.offline",
    "prefect.flow_engine",
    "prefect.task_engine",
    "prefect.utilities.visualization",
    "pyarrow.pandas_compat",
    "sqlalchemy.dialects.sqlite",
):
    import_module(_module)

_SAID = (
    "The test accuracy of 0.91 is higher than the baseline by 3 points, the best of all runs. The loss falls in every "
    "epoch. I changed train.py, ran it and saved the model. The last change helped a little. It failed again."
)


def _compile_templates() -> None:
    templates = import_module("evaluation.report.html").templates()
    for name in templates.list_templates(extensions=["j2"]):
        templates.get_template(name)


def _compile_rules() -> None:
    """Audit a run, which compiles most of what claims are read by."""
    from environment.records import Action
    from evaluation.claims.audit import audit
    from evaluation.record.log import Exchange, LogStep, RunLog

    ran = Exchange(action=Action(name="bash", args={"command": "python train.py"}), observation="test accuracy: 0.91")
    audit(RunLog(source="", steps=(LogStep(exchanges=(ran,)), LogStep(prose={"text": _SAID}))))


def _make_mlflow_ready() -> None:
    """Have the classes of its tables told of each other, and the schema that it expects remembered.

    It would load all migrations to find that, each time that a database is opened.
    """
    from mlflow.store.db import utils
    from sqlalchemy.orm import configure_mappers

    configure_mappers()
    own, name = vars(utils), "_get_latest_schema_revision"
    own[name] = cache(own[name])
    own[name]()


def _look_for_plugins() -> None:
    from foundation.plugins import offered_in

    offered_in("mlab.agents")


for _make in (_compile_templates, _compile_rules, _make_mlflow_ready, _look_for_plugins):
    _make()

gc.freeze()
gc.enable()
