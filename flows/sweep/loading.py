"""What a run imports and compiles only once it uses it, for processes that others are forked off to do it before."""

from __future__ import annotations

from importlib import import_module

_MODULES = (
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
)
_SAID = (
    "The test accuracy of 0.91 is higher than the baseline by 3 points, the best of all runs. The loss falls in every "
    "epoch. I changed train.py, ran it and saved the model. The last change helped a little. It failed again."
)


def import_modules() -> None:
    """Import what a run takes long to load."""
    for name in _MODULES:
        import_module(name)


def compile_templates() -> None:
    """Compile those of the report."""
    templates = import_module("evaluation.report.html").templates()
    for name in templates.list_templates(extensions=["j2"]):
        templates.get_template(name)


def compile_rules() -> None:
    """Audit a run, which compiles most of what claims are read by."""
    from environment.records import Action
    from evaluation.claims.audit import audit
    from evaluation.record.log import Exchange, LogStep, RunLog

    ran = Exchange(action=Action(name="bash", args={"command": "python train.py"}), observation="test accuracy: 0.91")
    audit(RunLog(source="", steps=(LogStep(exchanges=(ran,)), LogStep(prose={"text": _SAID}))))
