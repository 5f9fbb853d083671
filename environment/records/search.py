"""The journal of a search over scripts: a tree of tried scripts with what each measured."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from foundation.records import Record
from foundation.storable import Text
from tasks_catalog.library.spec import Direction

NodeKind: TypeAlias = Literal["starter", "draft", "improve", "debug"]
STATE_KEY = "search"
"""Under which an agent's state holds its tree, where others may look at it."""


class SearchNode(Record):
    """A script that was run once.

    Attributes:
        id: Its number, in the order the nodes were run.
        parent: The node it was made from; ``None`` for the starter.
        kind: A new draft, an improvement of its parent, or its parent with the error mended.
        plan: What its author says it changes.
        written: The step that wrote its script; ``None`` for the starter's, which was there.
        ran: The step that ran it; ``None`` where it could not even be written.
        value: What its training run measured on validation data, a percentage as a fraction.
        note: Of a node without a value, what went wrong.
    """

    id: int
    parent: int | None
    kind: NodeKind
    plan: Text = ""
    written: int | None = None
    ran: int | None = None
    value: float | None = None
    note: Text = ""

    @property
    def is_buggy(self) -> bool:
        """Whether nothing was measured for it."""
        return self.value is None


class SearchTree(Record):
    """All nodes of a search.

    Attributes:
        metric: What they are measured by.
        direction: Which way it is better.
        nodes: By number.
        submitted: The node whose script was handed in; ``None`` while the search goes on, or where a limit ended it.
    """

    metric: Text
    direction: Direction
    nodes: tuple[SearchNode, ...] = ()
    submitted: int | None = None

    @property
    def best(self) -> SearchNode | None:
        """The node with the best value; of equal ones the first."""
        return next(iter(self.by_value()), None)

    @property
    def chosen(self) -> SearchNode | None:
        """The node that was handed in, else the best so far."""
        return self.best if self.submitted is None else self.nodes[self.submitted]

    def by_value(self) -> list[SearchNode]:
        """The nodes with a value, best first; of equal ones the earlier first."""
        sign = 1 if self.direction is Direction.MINIMIZE else -1
        measured = [(sign * node.value, node.id) for node in self.nodes if node.value is not None]
        return [self.nodes[number] for _, number in sorted(measured)]

    def children(self, parent: int) -> list[SearchNode]:
        """The nodes made from one."""
        return [node for node in self.nodes if node.parent == parent]

    def path(self, node: int) -> list[SearchNode]:
        """From the starter to a node."""
        found = [self.nodes[node]]
        while (above := found[-1].parent) is not None:
            found.append(self.nodes[above])
        return found[::-1]


def search_tree(state: JsonValue) -> SearchTree | None:
    """The tree that an agent's state holds, if any."""
    found = state.get(STATE_KEY) if isinstance(state, dict) else None
    return None if found is None else SearchTree.model_validate(found)
