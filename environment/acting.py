"""The environment: carries out the agent's actions, and remembers what a resume needs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import JsonValue

from environment.actions.background import CHECK_SCRIPT, ended
from environment.actions.definition import ActionContext, Reply
from environment.actions.literature import SEARCH_LITERATURE
from environment.actions.people import REQUEST_HELP
from environment.actions.profiles import PROFILES
from environment.actions.recall import RECALL_EXPERIENCE
from environment.actions.registry import ACTIONS
from environment.actions.scripts import EXECUTE_SCRIPT
from environment.actions.spec import ActionSpec
from environment.actions.submission import VALIDATE_SUBMISSION
from environment.errors import ActionError, ForbiddenActionError, RefusedActionError
from environment.integrity import IntegrityWatch
from environment.literature import Literature
from environment.recall import Recall
from environment.records import Action, Effect, Observation, Outcome
from environment.repl.session import ReplSession
from environment.sandbox.base import Limits, Sandbox
from environment.sandbox.lasting import LastingTmp
from environment.store import Store
from environment.training.background import Background, ScriptRunner
from environment.validations import Validations
from environment.workspace.folder import Workspace
from environment.workspace.history import EditHistory
from foundation.records import Record
from foundation.text import cut_middle, encodable, shown


class _State(Record):
    """What must be known, besides the workspace, to go on."""

    history: JsonValue = None
    repl: JsonValue = None
    integrity: JsonValue = None
    validations: int = 0
    lasting: bool = False
    background: JsonValue = None


class Environment:
    """Where the agent acts: every action goes through here, and none of its mistakes gets out as an error.

    Args:
        workspace: The folder the actions work in.
        sandbox: Where commands run.
        training: Where scripts run.
        store: Keeps long observations, earlier contents of files and the REPL's variables.
        limits: Of one command.
        profile: ``default`` or ``paper``; see ``environment.actions.profiles``.
        ask: Asks a person and waits; ``None`` offers no Request Help.
        validate: Checks the submission, a limited number of times; ``None`` offers no Validate Submission.
        literature: Where papers are searched; ``None`` offers no Search Literature.
        recall: What earlier runs showed; ``None`` offers no Recall Experience.
        starter: The task's own files, to tell what became of them.
        reruns: Run a script of the background again that was under way when the run was interrupted.
        scripts_at_once: How many scripts may run at a time.
        lasting: The ``/tmp`` that the commands of ``sandbox`` share; ``None`` where each has its own.
    """

    def __init__(
        self,
        *,
        workspace: Workspace,
        sandbox: Sandbox,
        training: ScriptRunner,
        store: Store,
        limits: Limits,
        profile: str = "default",
        ask: Callable[[str], str] | None = None,
        validate: Validations | None = None,
        literature: Literature | None = None,
        recall: Recall | None = None,
        starter: Path | None = None,
        lasting: LastingTmp | None = None,
        reruns: bool = False,
        scripts_at_once: int = 1,
    ) -> None:
        self._background = Background(training, reruns=reruns, at_once=scripts_at_once)
        self._lasting = lasting
        self._store = store
        self._profile = PROFILES[profile]
        self._history = EditHistory(workspace, store)
        self._repl = ReplSession(workspace, store, sandbox)
        self._watch = IntegrityWatch(workspace, starter)
        self._context = ActionContext(
            workspace=workspace,
            store=store,
            sandbox=sandbox,
            training=training,
            background=self._background,
            limits=limits,
            profile=self._profile,
            history=self._history,
            repl=self._repl,
            ask=ask,
            validate=validate,
            literature=literature,
            recall=recall,
        )
        absent = {
            REQUEST_HELP: ask is None,
            VALIDATE_SUBMISSION: validate is None,
            SEARCH_LITERATURE: literature is None,
            RECALL_EXPERIENCE: recall is None,
        }
        self._actions = {name: action for name, action in ACTIONS.everything().items() if not absent.get(name, False)}
        self._offered = [
            self._as_offered(action.spec()) for name, action in self._actions.items() if self._profile.offers(name)
        ]

    def actions(self) -> list[ActionSpec]:
        """The actions the agent is told of."""
        return list(self._offered)

    def act(self, action: Action, n: int, *, timeout: float | None = None) -> Effect:
        """Carry out an action in step ``n``; whatever the agent did wrong is said in the observation.

        Args:
            action: What to do.
            n: The step.
            timeout: Seconds the run has left; a command may not run longer.

        Raises:
            SandboxError: The sandbox failed, not what ran in it.
            StoreError: The store failed.
        """
        context = self._context.in_step(n, timeout)
        started = time.monotonic()
        taken_up = self._background.take_up()
        reply = self._reply(action, context)
        notes = [taken_up, *self._after(context, reply), self._background.unseen()]
        self._watch.observe_action(n, action, reply)
        definition = self._actions.get(action.name)
        if definition is not None and not definition.reads_only:
            self._watch.observe_files(n)
        return Effect(
            observation=self._observation(reply, notes),
            training_run=reply.training_run,
            final=reply.final,
            seconds=time.monotonic() - started,
            waited_seconds=reply.waited_seconds,
            found=reply.found,
        )

    def finish(self, effect: Effect, n: int) -> Effect:
        """The effect of the run's last step: what runs in the background ends.

        The script begun first is a training run of this step; of others it is told that they have ended.
        """
        self._background.take_up()
        scripts = self._background.scripts
        if not scripts:
            return effect
        for script in scripts:
            script.stop()
        reply = ended(self._context.in_step(n, None), scripts[0])
        others = "".join(f"\n{script.plan.title} has ended with the run, unrecorded." for script in scripts[1:])
        self._background.close()
        shown = self._observation(reply.with_text(f"{effect.observation.text}\n{reply.text}{others}"))
        observation = shown.model_copy(update={"outcome": effect.observation.outcome})
        return effect.model_copy(update={"observation": observation, "training_run": reply.training_run})

    def close(self) -> None:
        """Let go of what still runs."""
        self._background.close()

    def look(self, action: Action) -> Observation:
        """Carry out an action that only reads; any other is refused."""
        definition = self._actions.get(action.name)
        if definition is not None and not definition.reads_only:
            message = f"{action.name} takes a step; only actions that read can be used between steps."
            return self._observation(Reply(message, Outcome.REFUSED))
        return self._observation(self._reply(action, self._context))

    def integrity(self) -> tuple[str, ...]:
        """What was tried and is not allowed, each with the step in which it was first seen."""
        return self._watch.findings()

    def state(self) -> JsonValue:
        """What a resume needs besides the workspace, as JSON."""
        validate = self._context.validate
        state = _State(
            history=self._history.state(),
            repl=self._repl.state(),
            integrity=self._watch.state(),
            validations=validate.used if validate else 0,
            background=self._background.state(),
            lasting=self._lasting is not None and self._lasting.holds_files(),
        )
        return state.model_dump(mode="json")

    def restore(self, state: JsonValue) -> None:
        """Take up what ``state`` returned."""
        known = _State.model_validate(state)
        self._history.restore(known.history)
        self._repl.restore(known.repl)
        self._watch.restore(known.integrity)
        self._background.restore(known.background)
        if self._lasting is not None:
            self._lasting.restart(held_files=known.lasting)
        if self._context.validate is not None:
            self._context.validate.used = known.validations

    def _as_offered(self, spec: ActionSpec) -> ActionSpec:
        """An action as the agent is told of it: with what this run allows."""
        validate, at_once, allowed = self._context.validate, self._background.at_once, ""
        if spec.name == VALIDATE_SUBMISSION and validate is not None:
            allowed = f" This run has {validate.allowed}."
        if spec.name == EXECUTE_SCRIPT.name and at_once > 1 and self._profile.offers(CHECK_SCRIPT):
            allowed = f" This run allows {at_once} scripts at a time."
        return spec.model_copy(update={"description": spec.description + allowed})

    def _reply(self, action: Action, context: ActionContext) -> Reply:
        definition = self._actions.get(action.name)
        if definition is None or not self._profile.allows(action.name):
            return Reply(self._unknown(action.name), Outcome.REFUSED)
        try:
            return definition.perform(context, action.args)
        except ForbiddenActionError as error:
            text = f"{self._profile.error_prefix}{error}"
            return Reply(text, Outcome.REFUSED, refused=(error.message,))
        except RefusedActionError as error:
            return Reply(f"{self._profile.error_prefix}{error}", Outcome.REFUSED)
        except ActionError as error:
            return Reply(f"{self._profile.error_prefix}{error}", Outcome.FAILED)

    def _after(self, context: ActionContext, reply: Reply) -> Iterator[str]:
        """What code of the agent has left, mended, in words for it."""
        if not reply.ran_code:
            return
        mended = context.workspace.mend()
        if self._lasting is not None and not self._background.is_running:
            yield self._lasting.settle()
        if mended:
            yield f"Note: {mended:,} files or folders had been made inaccessible; this was undone."

    def _unknown(self, name: str) -> str:
        offered = "\n".join(spec.name for spec in self.actions())
        refusal = f"Invalid action: {shown(name)}. Action did not execute."
        return f"{refusal} Please use one of the following actions:\n{offered}"

    def _observation(self, reply: Reply, notes: Iterable[str] = ()) -> Observation:
        whole = "\n".join([encodable(reply.text), *filter(None, notes)])
        text = cut_middle(whole, self._profile.observation_limit)
        full = self._store.put_object(whole.encode()) if text != whole else None
        return Observation(text=text, outcome=reply.outcome, full=full)
