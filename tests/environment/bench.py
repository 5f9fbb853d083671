"""An environment with a real sandbox and store, and short ways to act in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from pydantic import JsonValue

from environment.acting import Environment
from environment.literature import Literature
from environment.records import Action, Effect, KilledBy, Outcome, TrainingRun
from environment.sandbox import open_sandbox
from environment.sandbox.base import Command, Execution, Limits, Sandbox
from environment.sandbox.lasting import LastingTmp
from environment.store import Store
from environment.training.background import Beside, ScriptRunner
from environment.validations import Validations
from environment.workspace.folder import Workspace
from foundation.sizes import MiB

LIMITS = Limits(timeout=60, memory=1024 * MiB, processes=64, workspace_size=256 * MiB, output=4 * MiB)


@dataclass
class PlainRuns:
    """Runs scripts as training runs without MLflow, and keeps what it was asked."""

    workspace: Workspace
    sandbox: Sandbox
    store: Store
    asked: list[Limits] = field(default_factory=list)

    def execute(
        self, script: str, args: Sequence[str], n: int, limits: Limits, beside: Beside | None = None
    ) -> tuple[TrainingRun, Execution]:
        self.asked.append(limits)
        execution = self.sandbox.run(
            Command(
                ["python", script, *args],
                workspace=self.workspace.root,
                readonly=self.workspace.readonly_mounts(),
                limits=limits,
                on_output=beside.on_output if beside else None,
                cancel=beside.cancel if beside else None,
            )
        )
        return self.record(script, args, n, execution)

    def lost(self, script: str, args: Sequence[str], n: int, limits: Limits) -> tuple[TrainingRun, Execution]:
        del limits
        gone = Execution(exit_code=None, output=b"", seconds=0, killed_by=KilledBy.CANCELLED)
        return self.record(script, args, n, gone)

    def watch(self, argv: Sequence[str], n: int, limits: Limits) -> tuple[Execution, tuple[TrainingRun, ...]]:
        del n
        return self.sandbox.run(Command(argv, workspace=self.workspace.root, limits=limits)), ()

    def record(self, script: str, args: Sequence[str], n: int, execution: Execution) -> tuple[TrainingRun, Execution]:
        digest = sha256(self.workspace.read(script)).hexdigest()
        run = TrainingRun(
            id=f"test.{n}",
            step=n,
            script=script,
            script_sha256=digest,
            args=tuple(args),
            exit_code=execution.exit_code,
            killed_by=execution.killed_by,
            started=datetime.now(UTC),
            seconds=execution.seconds,
            output=self.store.put_object(execution.output),
        )
        return run, execution


@dataclass
class Bench:
    """An environment and its parts."""

    environment: Environment
    workspace: Workspace
    store: Store
    sandbox: Sandbox
    runs: PlainRuns
    step: int = 0

    @property
    def root(self) -> Path:
        return self.workspace.root

    def action(self, name: str, /, **args: JsonValue) -> Action:
        return Action(name=name, args=args)

    def act(self, name: str, /, **args: JsonValue) -> Effect:
        effect = self.environment.act(Action(name=name, args=args), self.step)
        self.step += 1
        return effect

    def text(self, name: str, /, **args: JsonValue) -> str:
        return self.act(name, **args).observation.text

    def outcome(self, name: str, /, **args: JsonValue) -> Outcome:
        return self.act(name, **args).observation.outcome


def make_bench(
    folder: Path,
    *,
    profile: str = "default",
    mounts: Mapping[str, Path] | None = None,
    readonly: Sequence[str] = (),
    starter: Path | None = None,
    limits: Limits = LIMITS,
    ask: Callable[[str], str] | None = None,
    validate: Callable[[Path], None] | None = None,
    validations: int = 10,
    literature: Literature | None = None,
    sandbox: Sandbox | None = None,
    training: ScriptRunner | None = None,
    lasting: LastingTmp | None = None,
    reruns: bool = False,
    scripts_at_once: int = 1,
) -> Bench:
    """A bench whose workspace and store lie in ``folder``; made again, it goes on with what is there."""
    root = folder / "workspace"
    root.mkdir(exist_ok=True)
    workspace = Workspace(root, mounts, readonly, quota=limits.workspace_size)
    store, sandbox = Store(str(folder / "store")), sandbox or open_sandbox("bubblewrap", label="test")
    runs = PlainRuns(workspace, sandbox, store)
    environment = Environment(
        workspace=workspace,
        sandbox=sandbox,
        training=training or runs,
        store=store,
        limits=limits,
        profile=profile,
        ask=ask,
        validate=Validations(validate, validations) if validate else None,
        literature=literature,
        starter=starter,
        lasting=lasting,
        reruns=reruns,
        scripts_at_once=scripts_at_once,
    )
    return Bench(environment, workspace, store, sandbox, runs)
