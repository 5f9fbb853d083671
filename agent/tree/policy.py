"""Which node of a search is worked on next."""

from __future__ import annotations

import math
from random import Random
from typing import Literal, NamedTuple

from pydantic import Field

from agent.settings import AgentSettings
from environment.records.search import NodeKind, SearchNode, SearchTree


class TreeSettings(AgentSettings):
    """Settings of ``tree``."""

    policy: Literal["greedy", "ucb", "random"] = Field(
        default="greedy", description="which node is improved: the best, the one of the highest bound, or any"
    )
    drafts: int = Field(default=3, ge=0, description="first scripts, each with an idea of its own")
    nodes: int = Field(default=100, ge=0, le=1_000, description="most scripts tried besides the starter")
    debug_depth: int = Field(default=3, ge=0, description="attempts in a row to mend a script that failed")
    debug_probability: float = Field(default=0.5, ge=0, le=1, description="how often mending goes before improving")
    exploration: float = Field(default=0.5, ge=0, description="of ucb: weight of what was improved seldom")
    history: int = Field(default=20, ge=0, description="earlier nodes in the prompt")
    repairs: int = Field(default=3, ge=0, description="attempts after an answer that holds no script")


class Choice(NamedTuple):
    """What is done next, and with which node."""

    kind: NodeKind
    parent: SearchNode


def choose(tree: SearchTree, settings: TreeSettings, seed: int) -> Choice:
    """The next node's kind and parent; follows from the arguments alone.

    Drafts first. Then, with the probability set, a leaf that failed is mended; else a measured node is improved.
    Where there is neither, another draft is made.
    """
    chance = Random(f"{seed}:{len(tree.nodes)}")
    if sum(node.kind == "draft" for node in tree.nodes) < settings.drafts:
        return Choice("draft", tree.nodes[0])
    broken = [node for node in tree.nodes if _can_be_mended(tree, node, settings.debug_depth)]
    measured = tree.by_value()
    if broken and (not measured or chance.random() < settings.debug_probability):
        return Choice("debug", chance.choice(broken))
    if not measured:
        return Choice("draft", tree.nodes[0])
    match settings.policy:
        case "greedy":
            return Choice("improve", measured[0])
        case "random":
            return Choice("improve", chance.choice(measured))
        case "ucb":
            return Choice("improve", _highest_bound(tree, measured, settings.exploration))


def _can_be_mended(tree: SearchTree, node: SearchNode, depth: int) -> bool:
    """Whether a node failed, nobody tried to mend it yet, and the attempts above it were not too many."""
    if not node.is_buggy or node.kind == "starter" or tree.children(node.id):
        return False
    attempts = 0
    for above in reversed(tree.path(node.id)):
        if above.kind != "debug":
            break
        attempts += 1
    return attempts < depth


def _highest_bound(tree: SearchTree, measured: list[SearchNode], exploration: float) -> SearchNode:
    """UCB1 (Auer et al. 2002) with a node's rank among the measured ones, from 1 to 0, in place of its mean reward."""
    last = max(len(measured) - 1, 1)

    def bound(rank: int, node: SearchNode) -> float:
        tried = 1 + len(tree.children(node.id))
        return 1 - rank / last + exploration * math.sqrt(2 * math.log(len(tree.nodes)) / tried)

    return max(enumerate(measured), key=lambda ranked: bound(*ranked))[1]
