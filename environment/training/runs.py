"""Runs a script of the workspace as a training run, and keeps all that it was and said."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from environment.errors import ActionError
from environment.gpus.card import CardUse
from environment.gpus.watching import CardWatch, OnSample
from environment.metrics.outputs import MAX_POINTS, read_metrics
from environment.records import KilledBy, TrainingRun
from environment.sandbox.base import Command, Execution, Limits, Mount, Sandbox
from environment.snapshots.walk import scratch_folder
from environment.store import Store
from environment.training.background import Beside
from environment.training.fixed import FixedValues
from environment.training.logged import LoggedRuns, read_logged
from environment.training.scripts import constants, diff_against, imported_names
from environment.training.watched import WatchedScript, lay_watcher, noted, read_scripts
from environment.training.written import Stamp, WrittenResults, read_written, stamps
from environment.workspace.folder import Workspace
from foundation.sizes import MiB
from foundation.text import text_of

OnOutput: TypeAlias = Callable[[bytes], None]
_HOOK = "/watch"
_WATCHED = "/watched"
_WRITTEN = "written"
_MLFLOW = "/mlflow"
_RUNS = "runs"
_MLFLOW_VARIABLES = {
    # A plain path, which sandboxes can translate; MLflow sets a file store up only where no folder is yet.
    "MLFLOW_TRACKING_URI": f"{_MLFLOW}/{_RUNS}",
    "MLFLOW_ALLOW_FILE_STORE": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "DO_NOT_TRACK": "true",
    "GIT_PYTHON_REFRESH": "quiet",
}


class TrainingRuns:
    """Executes scripts in a sandbox; each execution is one record, whatever becomes of it.

    Args:
        store: Keeps outputs and artifacts whole.
        sandbox: Where scripts run.
        workspace: The folder they run in.
        starter: The task's own files, which a script's changes are shown against.
        run_id: The benchmark run.
        on_output: Called with each chunk of output as it comes.
        on_sample: Called with each look at a card that a script was given.
    """

    def __init__(
        self,
        *,
        store: Store,
        sandbox: Sandbox,
        workspace: Workspace,
        starter: Path,
        run_id: str,
        on_output: OnOutput | None = None,
        on_sample: OnSample | None = None,
    ) -> None:
        self._store = store
        self._sandbox = sandbox
        self._workspace = workspace
        self._starter = starter
        self._run_id = run_id
        self._on_output = on_output
        self._on_sample = on_sample

    def execute(
        self, script: str, args: Sequence[str], n: int, limits: Limits, beside: Beside | None = None
    ) -> tuple[TrainingRun, Execution]:
        """Run ``python -u script args`` in step ``n``.

        What the script itself logs to MLflow goes into a folder made for it, and from there into the record, as do the
        result files it writes. Of a script in the background, beside which others may write, these are the files that
        its own Python opens to write.

        Raises:
            ActionError: The script cannot be read.
            SandboxError: The sandbox failed, not the script.
        """
        code = [self._workspace.read(script)]
        code += self._own_modules(script, code[0])
        started = datetime.now(UTC)
        before = stamps(self._workspace.root)
        watch = CardWatch(self._sandbox.cards if limits.gpus else (), self._on_sample)
        notes = {"MLAB_NOTE": f"{_MLFLOW}/{_WRITTEN}", "PYTHONPATH": _HOOK} if beside else {}
        hooked = _watcher() if beside else nullcontext()
        with self._workspace.beside("mlab-mlflow-") as folder, hooked as hook, watch.watching():
            execution = self._sandbox.run(
                Command(
                    ["python", "-u", f"./{script}" if script.startswith("-") else script, *args],
                    workspace=self._workspace.root,
                    limits=limits,
                    readonly=[*self._workspace.readonly_mounts(), *([hook] if hook else [])],
                    writable=[Mount(source=folder, target=_MLFLOW)],
                    env={**_MLFLOW_VARIABLES, **notes},
                    on_output=_both(self._on_output, beside.on_output) if beside else self._on_output,
                    cancel=beside.cancel if beside else None,
                )
            )
            logged = read_logged(Path(folder, _RUNS), self._store)
            own = noted(Path(folder, _WRITTEN)) if beside else None
        written = read_written(self._workspace.root, before, self._store, own)
        return self._record(script, code, args, n, limits, started, execution, logged, written, watch.uses()), execution

    def watch(self, argv: Sequence[str], n: int, limits: Limits) -> tuple[Execution, tuple[TrainingRun, ...]]:
        """Run a command, and record each Python script of the workspace that it starts as a training run.

        Raises:
            SandboxError: The sandbox failed, not the command.
        """
        before = stamps(self._workspace.root)
        with self._workspace.beside("mlab-watched-") as folder, _watcher() as hook:
            execution = self._sandbox.run(
                Command(
                    argv,
                    workspace=self._workspace.root,
                    limits=limits,
                    readonly=[*self._workspace.readonly_mounts(), hook],
                    writable=[Mount(source=folder, target=_WATCHED)],
                    env={**_MLFLOW_VARIABLES, "MLAB_WATCH": _WATCHED, "PYTHONPATH": _HOOK},
                    on_output=self._on_output,
                )
            )
            runs = tuple(self._watched(script, n, limits, before) for script in read_scripts(folder))
        return execution, runs

    def _watched(self, script: WatchedScript, n: int, limits: Limits, before: Mapping[str, Stamp]) -> TrainingRun:
        code = [script.code, *self._own_modules(script.script, script.code)]
        logged = read_logged(script.logged, self._store)
        written = read_written(self._workspace.root, before, self._store, script.written)
        return self._record(
            script.script, code, script.args, n, limits, script.started, script.execution, logged, written, ()
        )

    def lost(self, script: str, args: Sequence[str], n: int, limits: Limits) -> tuple[TrainingRun, Execution]:
        """The record of a script that ended with the process that ran it; its output is gone."""
        code = [self._workspace.read(script)] if self._workspace.exists(script) else [b""]
        execution = Execution(exit_code=None, output=b"", seconds=0.0, killed_by=KilledBy.CANCELLED)
        logged, written, now = LoggedRuns(), WrittenResults(), datetime.now(UTC)
        return self._record(script, code, args, n, limits, now, execution, logged, written, ()), execution

    def _record(
        self,
        script: str,
        code: Sequence[bytes],
        args: Sequence[str],
        n: int,
        limits: Limits,
        started: datetime,
        execution: Execution,
        logged: LoggedRuns,
        written: WrittenResults,
        gpus: tuple[CardUse, ...],
    ) -> TrainingRun:
        printed = read_metrics(text_of(execution.output), MAX_POINTS)
        source, fixed = code[0], FixedValues(code)
        return TrainingRun(
            id=f"{self._run_id}.{n}",
            step=n,
            script=script,
            script_sha256=hashlib.sha256(source).hexdigest(),
            args=tuple(args),
            diff=diff_against(self._starter / script, script, source),
            exit_code=execution.exit_code,
            killed_by=execution.killed_by,
            started=started,
            seconds=execution.seconds,
            output=self._store.put_object(execution.output),
            metrics=tuple(fixed.mark((*written.metrics, *printed.points, *logged.metrics))),
            metrics_dropped=printed.dropped + logged.dropped + written.dropped,
            params={**constants(source), **_parameters(args, limits, gpus), **logged.params},
            artifacts={**written.artifacts, **logged.artifacts},
            gpus=gpus,
            cpu_seconds=execution.cpu_seconds,
        )

    def _own_modules(self, script: str, source: bytes) -> Iterator[bytes]:
        """The code of the modules beside a script that it imports."""
        folder = script.rpartition("/")[0]
        for name in imported_names(source):
            with suppress(ActionError):
                yield self._workspace.read(f"{folder}/{name}.py".lstrip("/"))


@contextmanager
def _watcher() -> Iterator[Mount]:
    """The watcher, as commands see it."""
    with scratch_folder("mlab-watch-") as folder:
        folder.chmod(0o755)  # commands run as another user
        lay_watcher(folder)
        yield Mount(source=folder, target=_HOOK)


def _both(first: OnOutput | None, second: OnOutput) -> OnOutput:
    def pass_on(chunk: bytes) -> None:
        second(chunk)
        if first is not None:
            first(chunk)

    return pass_on


def _parameters(args: Sequence[str], limits: Limits, gpus: Sequence[CardUse]) -> dict[str, str]:
    """Arguments, limits and cards of an execution, as parameters of its MLflow run."""
    known: dict[str, object] = {
        "args": " ".join(args) or None,
        "limit.seconds": limits.timeout,
        "limit.memory_mib": limits.memory and limits.memory // MiB,
        "limit.cpus": limits.cpus,
    }
    for n, use in enumerate(gpus):
        known |= {f"gpu.{n}.model": use.card.model, f"gpu.{n}.driver": use.card.driver}
    return {name: str(value) for name, value in known.items() if value is not None}
