"""What the model of a search is told, and how its answer is read."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, NamedTuple

from agent.answers.code_block import CODE_BLOCK
from agent.answers.parsing import AnswerError
from agent.protocol import View
from agent.room import STEPS_OF_A_TRY, STEPS_TO_FINISH
from agent.tree.policy import Choice
from environment.records import Step, remaining
from environment.records.display import duration
from environment.records.search import SearchNode, SearchTree
from foundation.text import cut_middle
from tasks_catalog.library.spec import Direction

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

OUTPUT_LIMIT = 4_000
"""Characters of the parent's output."""
PLAN_LIMIT = 1_000
"""Characters of a plan that are kept."""
_OTHERS = 8
"""Further values of a node's run that are listed."""

_SYSTEM = """You are an expert in machine learning. You search for the best script: each node of the search is one \
whole script, which is run once and measured, and the best one is submitted for you at the end.

The task, as its agents are told it (you only write scripts: reading files, running and submitting is done for you):
{instruction}

What lies in the workspace:
{overview}

The script is {script}; it replaces the file of that name, runs by itself in the workspace{limit}.
It must
- hold out part of the training data, as the starter does and the same in each node, and print, once and at its end,
  `validation {metric}: <number>` ({better} is better): nodes are compared by this number, and by nothing you say.
  Cross-validation on the rest may guide choices inside a script; print its results under other names;
- write every file that the task asks for, as the starter does: they are graded by {metric} on hidden data, and what
  only looks good on the held-out part counts for nothing there.
What it prints besides, as `name: number`, is listed below for later nodes. A script that is stopped has measured \
nothing. Better is always better, also beyond what the task asks for.

{machine}

Answer with a plan of two to five sentences (what you change and why it should help; {plan} characters are kept), then \
the whole script in one ```python block. Nothing is kept between nodes but what is listed."""

_TASKS = {
    "draft": "Write a new solution whose main idea differs from those of all nodes; it may take over what works.",
    "improve": "Improve node {id}: one change whose effect can be measured, that no node has tried yet.",
    "debug": "Node {id} failed. Find out why and mend it; keep its idea.",
}


class Proposal(NamedTuple):
    """A script, and what its author says of it."""

    plan: str
    script: str


class Shown(NamedTuple):
    """A node whose script the prompt shows."""

    node: SearchNode
    script: str


def to_show(tree: SearchTree, choice: Choice) -> list[SearchNode]:
    """The node that is worked on; before a draft also the best, so that it need not be written again."""
    best = tree.best
    return [choice.parent] if choice.kind != "draft" or best in (None, choice.parent) else [choice.parent, best]


def prompt(
    view: View, tree: SearchTree, choice: Choice, shown: Sequence[Shown], overview: str, history: int
) -> Sequence[BaseMessage]:
    """What the model is asked.

    Args:
        view: What may be known.
        tree: The search so far.
        choice: What to do, with which node.
        shown: Nodes that are shown with script and output.
        overview: What lies in the workspace.
        history: How many nodes, the latest, are listed besides them.
    """
    from langchain_core.messages import HumanMessage, SystemMessage

    seconds = view.budget.script_seconds
    system = _SYSTEM.format(
        instruction=view.instruction,
        overview=overview,
        script=view.script,
        machine="\n".join(view.machine().lines()),
        limit="" if seconds is None else f" and is stopped after {duration(seconds)}",
        metric=view.metric,
        better="lower" if view.direction is Direction.MINIMIZE else "higher",
        plan=PLAN_LIMIT,
    )
    listed = "\n".join(described(node, tree, view.steps) for node in tree.nodes[max(len(tree.nodes) - history, 0) :])
    parts = [
        f"Nodes so far:\n{listed}" if listed else "",
        *(part for one in shown for part in _whole(one, view.steps)),
        f"Budget: {remaining(view.budget, view.spent).line()}. A node, failed or not, takes two steps (its script is "
        f"written and run); the last three are kept for the submission{_nodes_left(view)}.",
        _TASKS[choice.kind].format(id=choice.parent.id),
    ]
    return [SystemMessage(system), HumanMessage("\n\n".join(part for part in parts if part))]


def _nodes_left(view: View) -> str:
    steps = remaining(view.budget, view.spent).steps
    return "" if steps is None else f": this node and {max(0, (steps - STEPS_TO_FINISH) // STEPS_OF_A_TRY - 1)} more"


def _whole(shown: Shown, steps: Sequence[Step]) -> list[str]:
    node = shown.node
    printed = node.note if node.ran is None else f"What it printed:\n{_output(steps[node.ran])}"
    return [f"The script of node {node.id}, {node.kind}:\n```python\n{shown.script.rstrip()}\n```", printed]


def described(node: SearchNode, tree: SearchTree, steps: Sequence[Step]) -> str:
    """A node in a line: "node 3, improves node 1: validation MAE 12.1 after 14 s (it also printed: …). <plan>"."""
    origin = {"improve": "improves", "debug": "mends"}.get(node.kind)
    made = node.kind if origin is None else f"{origin} node {node.parent}"
    found = f"failed, {node.note}" if node.value is None else f"validation {tree.metric} {node.value:.6g}"
    run = None if node.ran is None else steps[node.ran].effect.training_run
    if run is not None:
        last = {point.title: point for point in run.metrics if point.comparable != node.value}
        printed = list(dict.fromkeys(point.text.strip() for point in last.values()))[:_OTHERS]
        found += f" after {run.seconds:.0f} s" + (f" (it also printed: {'; '.join(printed)})" if printed else "")
    return f"node {node.id}, {made}: {found}. {' '.join(node.plan.split())}".strip()


def read(text: str) -> Proposal:
    """The plan and the script of an answer.

    Raises:
        AnswerError: It holds no whole code block.
    """
    blocks = list(CODE_BLOCK.finditer(text))
    if not blocks:
        raise AnswerError("there is no whole script in a block that begins with ```python and ends with ```")
    block = max(blocks, key=lambda found: len(found[1]))
    return Proposal(plan=shorten(text[: block.start()], PLAN_LIMIT, placeholder=" …"), script=block[1])


def _output(step: Step) -> str:
    return cut_middle(step.effect.observation.text, OUTPUT_LIMIT)
