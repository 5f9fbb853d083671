"""How an action is defined: typed arguments, what the agent reads about it, and a handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import JsonValue, ValidationError

from environment.actions.profiles import Profile
from environment.actions.spec import ActionInput, ActionSpec, describe
from environment.errors import RefusedActionError
from environment.literature import Literature
from environment.recall import Recall
from environment.records import KilledBy, Outcome, TrainingRun
from environment.repl.session import ReplSession
from environment.sandbox.base import Limits, Sandbox
from environment.store import Store
from environment.training.background import Background, ScriptRunner
from environment.validations import Validations
from environment.workspace.folder import Workspace
from environment.workspace.history import EditHistory
from foundation.sizes import MiB
from foundation.text import shown

Input = TypeVar("Input", bound=ActionInput)


@dataclass(frozen=True)
class ActionContext:
    """What a handler may use.

    Attributes:
        workspace: The only way to a file.
        store: Keeps what is too large for an observation, and earlier contents of edited files.
        sandbox: Where shell and REPL commands run.
        training: Where scripts run.
        background: The script that runs beside the steps.
        limits: Of one command, already shortened to what the run has left.
        profile: Which actions are offered, and in what words they answer.
        history: Earlier contents of the files the agent changed.
        repl: The Python REPL.
        step: Number of the step.
        ask: Asks a person; ``None`` where nobody is there.
        validate: Checks the format of the submission, a limited number of times; ``None`` offers no check.
        literature: Where papers are searched; ``None`` offers no search.
        recall: What earlier runs showed; ``None`` offers nothing.
    """

    workspace: Workspace
    store: Store
    sandbox: Sandbox
    training: ScriptRunner
    background: Background
    limits: Limits
    profile: Profile
    history: EditHistory
    repl: ReplSession
    step: int = 0
    ask: Callable[[str], str] | None = None
    validate: Validations | None = None
    literature: Literature | None = None
    recall: Recall | None = None

    def in_step(self, n: int, timeout: float | None) -> ActionContext:
        """The same in step ``n``, which is to end within ``timeout`` seconds."""
        return replace(self, step=n, limits=_shortened(self.limits, timeout))

    def command_limits(self, timeout: float | None = None) -> Limits:
        """The limits of one command that is to end within ``timeout`` seconds.

        A workspace that is too full already may not grow, but a command that makes room must be able to run.
        """
        limits, used = _shortened(self.limits, timeout), self.workspace.used()
        if limits.workspace_size is None or used <= limits.workspace_size:
            return limits
        return limits.model_copy(update={"workspace_size": used + MiB})


@dataclass(frozen=True)
class Reply:
    """What a handler answers.

    Attributes:
        text: The observation, which may still be too long to be shown.
        refused: What was attempted and not allowed, for the record.
        killed_by: The limit that stopped a command.
        ran_code: Whether code of the agent ran, which may have left anything in the workspace.
        found: Training runs of scripts that a command started by itself.
    """

    text: str
    outcome: Outcome = Outcome.OK
    training_run: TrainingRun | None = None
    refused: tuple[str, ...] = ()
    killed_by: KilledBy | None = None
    ran_code: bool = False
    final: bool = False
    waited_seconds: float = 0.0
    found: tuple[TrainingRun, ...] = ()

    def with_text(self, text: str) -> Reply:
        """The same with another text."""
        return replace(self, text=text)


@dataclass(frozen=True)
class ActionDefinition(Generic[Input]):
    """One action: see ``ActionSpec`` for what the agent is told of it."""

    name: str
    description: str
    returns: str
    input: type[Input]
    handler: Callable[[ActionContext, Input], Reply]
    reads_only: bool = False

    def spec(self) -> ActionSpec:
        """The action as it is offered to an agent."""
        return describe(self.name, self.description, self.returns, self.input, reads_only=self.reads_only)

    def perform(self, context: ActionContext, args: Mapping[str, JsonValue]) -> Reply:
        """Check the arguments and carry the action out.

        Raises:
            ActionError: The arguments are wrong, or the action failed; the message is for the agent.
        """
        try:
            arguments = self.input.model_validate(dict(args))
        except ValidationError as error:
            raise self._bad_arguments(error) from error
        return self.handler(context, arguments)

    def _bad_arguments(self, error: ValidationError) -> RefusedActionError:
        problems = [
            f"- {shown('.'.join(map(str, problem['loc'])) or 'arguments')}: {_explain(problem['type'], problem['msg'])}"
            for problem in error.errors(include_url=False, include_input=False)
        ]
        usage = "".join(f"\n- {name}: {text}" for name, text in self.spec().usage.items())
        return RefusedActionError(
            f"The arguments of {self.name} are wrong; nothing was done.\n" + "\n".join(problems),
            hint=f"{self.name} takes:{usage}",
        )


def _explain(kind: str, message: str) -> str:
    return {"missing": "is missing", "extra_forbidden": "is not an argument of this action"}.get(kind, message)


def _shortened(limits: Limits, timeout: float | None) -> Limits:
    if timeout is None or (limits.timeout is not None and limits.timeout <= timeout):
        return limits
    return limits.model_copy(update={"timeout": timeout})
