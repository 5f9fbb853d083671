"""What the model of a search is told, and how its answer is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from agent.answers.code_block import CODE_BLOCK
from agent.answers.parsing import AnswerError
from agent.protocol import View
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
PLAN_LIMIT = 600
"""Characters of a plan that are kept."""

_SYSTEM = """You are an expert in machine learning. You search for the best script: each node of the search is one \
whole script, which is run once and measured, and the best one is submitted.

The problem:
{instruction}

The script is {script}; it replaces the file of that name, runs by itself in the workspace and is stopped after {limit}.
It must
- hold out part of the training data, as the starter does and the same in each node, and print as its last line
  `validation {metric}: <number>` ({better} is better): nodes are compared by this number, and by nothing you say;
- write every file that the problem asks for, as the starter does: they are graded by {metric} on hidden data.

{machine}

Answer with a plan of two to five sentences (what you change, and why it should help), then the whole script in one \
```python block. Nothing is kept between nodes but what is listed."""

_TASKS = {
    "draft": "Write a new solution that differs in approach from the nodes so far, simple enough to work at once.",
    "improve": "Improve node {id}: one change whose effect can be measured, that no node has tried yet.",
    "debug": "Node {id} failed. Find out why and mend it; keep its idea.",
}


class Proposal(NamedTuple):
    """A script, and what its author says of it."""

    plan: str
    script: str


def prompt(view: View, tree: SearchTree, choice: Choice, script: str, history: int) -> Sequence[BaseMessage]:
    """What the model is asked.

    Args:
        view: What may be known.
        tree: The search so far.
        choice: What to do, with which node.
        script: That node's script.
        history: How many nodes, the latest, are listed besides it.
    """
    from langchain_core.messages import HumanMessage, SystemMessage

    seconds, parent = view.budget.script_seconds, choice.parent
    system = _SYSTEM.format(
        instruction=view.instruction,
        script=view.script,
        machine="\n".join(view.machine().lines()),
        limit="no time limit" if seconds is None else duration(seconds),
        metric=view.metric,
        better="lower" if view.direction is Direction.MINIMIZE else "higher",
    )
    listed = "\n".join(described(node, tree) for node in tree.nodes[max(len(tree.nodes) - history, 0) :])
    step = None if parent.ran is None else view.steps[parent.ran]
    parts = [
        f"Nodes so far:\n{listed}" if listed else "",
        f"The script of node {parent.id}, {parent.kind}:\n```python\n{script.rstrip()}\n```",
        _output(step) if step is not None else parent.note,
        f"Budget: {remaining(view.budget, view.spent).line()}; a node takes two steps.",
        _TASKS[choice.kind].format(id=parent.id),
    ]
    return [SystemMessage(system), HumanMessage("\n\n".join(part for part in parts if part))]


def described(node: SearchNode, tree: SearchTree) -> str:
    """A node in a line: "node 3, improves node 1: validation MAE 12.1. <plan>"."""
    origin = {"improve": "improves", "debug": "mends"}.get(node.kind)
    made = node.kind if origin is None else f"{origin} node {node.parent}"
    found = f"failed, {node.note}" if node.value is None else f"validation {tree.metric} {node.value:.6g}"
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
    return Proposal(plan=text[: block.start()].strip()[:PLAN_LIMIT], script=block[1])


def _output(step: Step) -> str:
    return f"What it printed:\n{cut_middle(step.effect.observation.text, OUTPUT_LIMIT)}"
