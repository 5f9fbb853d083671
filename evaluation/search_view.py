"""The tree of a search in the terminal: what each node measured, which failed, and the path to what was handed in."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from environment.records.display import counted, number
from environment.records.search import SearchNode, SearchTree
from evaluation.head import harmless
from evaluation.search import chosen_path

PLAN_SHOWN = 90
"""Characters of a plan on a node's line."""


def render_search(tree: SearchTree) -> RenderableType:
    """The whole tree; the chosen path is green, what failed is red."""
    failed = sum(node.is_buggy for node in tree.nodes)
    metric = f"validation {harmless(tree.metric)} (to {tree.direction})"
    head = f"{counted(len(tree.nodes), 'node')} by {metric}, {failed} without a value"
    if not tree.nodes:
        return Text(head, style="dim")
    path = chosen_path(tree)
    root = Tree(_line(tree.nodes[0], tree, path), guide_style="dim")
    branches = {0: root}
    for node in tree.nodes[1:]:
        if node.parent in branches:  # a parent comes before its children
            branches[node.id] = branches[node.parent].add(_line(node, tree, path))
    return Group(Text(head, style="dim"), root)


def _line(node: SearchNode, tree: SearchTree, path: frozenset[int]) -> Text:
    on_path, value = node.id in path, number(node.value)
    line = Text.assemble((f"{node.id} {node.kind}  ", "bold" if on_path else ""))
    if node.is_buggy:
        line.append(f"✕ {_short(node.note)}", style="red")
    else:
        line.append(value, style="bold green" if on_path else "cyan")
    if node.id == tree.submitted:
        line.append("  submitted", style="green")
    if node.plan:
        line.append(f"  {_short(node.plan)}", style="dim")
    if node.written is not None:
        line.append(f"  step {node.written}", style="dim")
    return line


def _short(text: str) -> str:
    line = " ".join(harmless(text).split())
    return line if len(line) <= PLAN_SHOWN else f"{line[:PLAN_SHOWN]}…"
