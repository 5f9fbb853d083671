"""Tree search over scripts: a model drafts, improves and mends them; what their runs measure decides."""

from __future__ import annotations

import re
from typing import TypeAlias

from agent.asking import ask_until_read, giving_up
from agent.commands import WRITE_FILE, execute_script, final_answer, write_file
from agent.errors import GaveUpError
from agent.measure import described
from agent.models.calls import Models, ModelSession
from agent.protocol import JSON, AgentContext, View
from agent.reading import read_whole
from agent.room import has_room
from agent.settings import read_settings
from agent.tree.overview import overview
from agent.tree.policy import Choice, TreeSettings, choose
from agent.tree.prompt import Proposal, Shown, prompt, read, to_show
from environment.metrics.names import Split
from environment.metrics.validated import validation_point
from environment.records import CitedResult, Decision, MetricPoint, Outcome, Step
from environment.records.search import SearchNode, SearchTree
from foundation.records import Record

_SPLITS: tuple[Split | None, ...] = ("validation", None)
_NOTE_LIMIT = 300
_ERROR = re.compile(r"[\w.]*(?:Error|Exception|Exit|Interrupt)\b")

Prose: TypeAlias = dict[str, str]


class TreeState(Record):
    """All the search remembers; the scripts themselves stand in the steps that wrote them.

    Attributes:
        starter: The script as it was.
        overview: What lay in the workspace then.
        search: The nodes so far.
        pending: The node that is written or about to run.
        finishing: Whether the best node's script is being put back, to be submitted.
    """

    starter: str = ""
    overview: str = ""
    search: SearchTree | None = None
    pending: SearchNode | None = None
    finishing: bool = False


class TreeAgent:
    """Runs the starter, then node after node while the budget lasts, and submits the best one."""

    def __init__(self, context: AgentContext) -> None:
        self._settings = read_settings(TreeSettings, "tree", context.settings)
        self._models = Models(context)
        self._seed = context.seed
        self._state = TreeState()

    def state(self) -> JSON:
        """The nodes so far."""
        return self._state.model_dump(mode="json")

    def restore(self, state: JSON) -> None:
        """Take up the nodes; the search goes on as if never stopped."""
        self._state = TreeState.model_validate(state)

    def decide(self, view: View) -> Decision:
        """Run what was just written; else learn from the last run, and write the next script."""
        if not view.steps:
            return self._start(view)
        last = view.steps[-1]
        is_written = last.decision.effective.name == WRITE_FILE
        if is_written and last.effect.observation.outcome is Outcome.OK:
            return Decision(action=execute_script(view.script))
        tree, seen = self._learn(view, last, ran=not is_written)
        if self._state.finishing:
            return self._submit(tree, last)
        if len(tree.nodes) > self._settings.nodes or not has_room(view):
            return self._finish(view, tree, seen)
        return self._propose(view, tree, seen)

    def _start(self, view: View) -> Decision:
        self._state = TreeState(
            starter=read_whole(view, view.script),
            overview=overview(view),
            search=SearchTree(metric=view.metric, direction=view.direction),
            pending=SearchNode(id=0, parent=None, kind="starter"),
        )
        return Decision(prose={"plan": f"First I run {view.script} unchanged."}, action=execute_script(view.script))

    def _learn(self, view: View, last: Step, *, ran: bool) -> tuple[SearchTree, Prose]:
        """The tree with what the pending node's run measured, and that in words."""
        tree = self._state.search or SearchTree(metric=view.metric, direction=view.direction)
        node = self._state.pending
        if node is None:
            return tree, {}
        point = measured(last, view.metric)
        found = {"value": point.comparable, "note": ""} if point else {"value": None, "note": why_not(last)}
        node = node.model_copy(update={"ran": last.n if ran else None, **found})
        tree = tree.model_copy(update={"nodes": (*tree.nodes, node)})
        self._state = self._state.model_copy(update={"search": tree, "pending": None})
        return tree, {"reflection": f"Node {node.id} {outcome_of(point, view)}."}

    def _propose(self, view: View, tree: SearchTree, seen: Prose) -> Decision:
        choice, session = choose(tree, self._settings, self._seed), self._models.session(len(view.steps))
        try:
            proposal = self._ask(view, tree, choice, session)
        except GaveUpError as error:
            if tree.best is None:
                raise
            problem = {"problem": f"The search ends here: {error.message}", **error.prose}
            return self._finish(view, tree, {**seen, **problem}).model_copy(update={"calls": error.calls})
        node = SearchNode(
            id=len(tree.nodes),
            parent=choice.parent.id,
            kind=choice.kind,
            plan=proposal.plan,
            written=len(view.steps),
        )
        self._state = self._state.model_copy(update={"pending": node})
        plan = {"plan": proposal.plan} if proposal.plan else {}
        return Decision(
            prose={**seen, **plan}, action=write_file(view.script, proposal.script), calls=tuple(session.calls)
        )

    def _ask(self, view: View, tree: SearchTree, choice: Choice, session: ModelSession) -> Proposal:
        shown = [Shown(node, self._script(view, node)) for node in to_show(tree, choice)]
        with giving_up(session):
            proposal: Proposal = ask_until_read(
                session,
                lambda history: prompt(view, tree, choice, shown, self._state.overview, history),
                read,
                history=min(self._settings.history, len(tree.nodes)),
                repairs=self._settings.repairs,
            )
        return proposal

    def _finish(self, view: View, tree: SearchTree, seen: Prose) -> Decision:
        """Put the best script back, unless the workspace is as its run left it."""
        best, last = tree.best, view.steps[-1]
        if best is None or best.ran == last.n:
            return self._submit(tree, last, seen)
        self._state = self._state.model_copy(update={"finishing": True})
        plan = f"Back to node {best.id}, the best: I run its script again, so that what it writes is submitted."
        return Decision(prose={**seen, "plan": plan}, action=write_file(view.script, self._script(view, best)))

    def _submit(self, tree: SearchTree, last: Step, seen: Prose | None = None) -> Decision:
        best, point = tree.best, measured(last, tree.metric)
        self._state = self._state.model_copy(
            update={"search": tree.model_copy(update={"submitted": best.id if best else None})}
        )
        if best is None:
            return Decision(prose=seen or {}, action=final_answer(f"No script measured {tree.metric}."))
        if point is None:
            text = f"I submit the script of node {best.id}; its last run gave no {tree.metric} that I can read."
            return Decision(prose=seen or {}, action=final_answer(text))
        cited = CitedResult(metric=point.name, value=point.value, step=last.n)
        text = f"I submit the script of node {best.id}, whose last run measured {described(point)}."
        return Decision(prose=seen or {}, action=final_answer(text, cited))

    def _script(self, view: View, node: SearchNode) -> str:
        if node.written is None:
            return self._state.starter
        return str(view.steps[node.written].decision.effective.args["content"])


def measured(step: Step, metric: str) -> MetricPoint | None:
    """The value that a node is compared by: computed on validation data, or on what the script does not name."""
    return validation_point(step.effect.training_run, metric, _SPLITS)


def why_not(step: Step) -> str:
    """Why a step measured nothing: its error, the last line that it printed, or that it printed no value."""
    observation, run = step.effect.observation, step.effect.training_run
    if run is not None and run.killed_by is not None:
        return f"it was stopped by the {run.killed_by.value} limit"
    if observation.outcome is Outcome.OK:
        return "it printed no value of the metric"
    lines = [line.strip() for line in observation.text.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    return (errors or lines or [observation.outcome.value])[-1][:_NOTE_LIMIT]


def outcome_of(point: MetricPoint | None, view: View) -> str:
    """What a node's run measured, as a sentence's end."""
    return f"measured {described(point)}" if point else f"gave no {view.metric} that I can read"
