"""The tree of an agent that searches, as its last state has it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import unified_diff

from pydantic import JsonValue, ValidationError

from environment.errors import StoreError
from environment.records import Step
from environment.records.search import SearchTree, search_tree
from environment.store import Store


def read_search(store: Store, steps: Sequence[Step]) -> SearchTree | None:
    """The tree in the agent's state after the last step; ``None`` where the agent keeps none that can be read."""
    if not steps:
        return None
    try:
        return search_tree(json.loads(store.get_object(steps[-1].checkpoint.agent_state)))
    except (StoreError, ValidationError, ValueError):
        return None


def chosen_path(tree: SearchTree) -> frozenset[int]:
    """The numbers of the nodes from the starter to what was handed in, or to the best so far."""
    return frozenset(node.id for node in tree.path(tree.chosen.id)) if tree.chosen else frozenset()


def search_rows(tree: SearchTree, steps: Sequence[Step]) -> list[dict[str, JsonValue]]:
    """A row a node: what it is, whether it lies on the chosen path, and what it changed of its parent's script."""
    path, changed = chosen_path(tree), _diffs(tree, steps)
    return [
        {
            **node.model_dump(mode="json"),
            "buggy": node.is_buggy,
            "on_path": node.id in path,
            "diff": changed.get(node.id, ""),
        }
        for node in tree.nodes
    ]


def _diffs(tree: SearchTree, steps: Sequence[Step]) -> dict[int, str]:
    """The difference of each node's script to its parent's; to the starter's, as the training run has it."""
    scripts = {
        node.id: str(steps[node.written].decision.effective.args.get("content", ""))
        for node in tree.nodes
        if node.written is not None and node.written < len(steps)
    }
    found = {}
    for node in tree.nodes:
        run = steps[node.ran].effect.training_run if node.ran is not None and node.ran < len(steps) else None
        if node.id in scripts and node.parent in scripts:
            before, after = (scripts[number].splitlines() for number in (node.parent, node.id))
            names = f"node {node.parent}", f"node {node.id}"
            found[node.id] = "\n".join(unified_diff(before, after, *names, lineterm=""))
        elif run is not None and node.parent is not None:
            found[node.id] = run.diff
    return found
