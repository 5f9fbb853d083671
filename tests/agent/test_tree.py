"""The tree search: which node comes next, what the model is told, and that a resumed search is the same search."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agent.answers.parsing import AnswerError
from agent.errors import GaveUpError
from agent.protocol import JSON
from agent.tree.agent import TreeAgent
from agent.tree.policy import TreeSettings, choose
from agent.tree.prompt import PLAN_LIMIT, read
from environment.records import Budget
from environment.records.search import SearchNode, SearchTree, search_tree
from tasks_catalog.library.spec import Direction
from tests.agent.bench import Bench
from tests.agent.conftest import FAST, Recorder, Serve, context
from tests.agent.llm_server import LlmServer, Reply
from tests.agent.tree_server import next_script

SCRIPT = "print('validation mae: {value}.5')"
STARTER = "print('validation mae: 3.5')\n"


def tree_of(*nodes: tuple[int | None, str, float | None]) -> SearchTree:
    made = [
        SearchNode.model_validate({"id": n, "parent": parent, "kind": kind, "value": value})
        for n, (parent, kind, value) in enumerate(nodes)
    ]
    return SearchTree(metric="mae", direction=Direction.MINIMIZE, nodes=tuple(made))


def test_drafts_come_first() -> None:
    tree = tree_of((None, "starter", 3.0), (0, "draft", 2.0))
    assert choose(tree, TreeSettings(drafts=2), 0) == ("draft", tree.nodes[0])


def test_a_failed_leaf_is_mended_so_often_and_no_deeper() -> None:
    tree = tree_of((None, "starter", 3.0), (0, "draft", None))
    always = TreeSettings(drafts=1, debug_probability=1, debug_depth=1)
    assert choose(tree, always, 0) == ("debug", tree.nodes[1])
    deeper = tree_of((None, "starter", 3.0), (0, "draft", None), (1, "debug", None))
    assert choose(deeper, always, 0) == ("improve", deeper.nodes[0])
    assert choose(tree, TreeSettings(drafts=1, debug_probability=0), 0).kind == "improve"


def test_without_any_measured_node_another_draft_is_made() -> None:
    tree = tree_of((None, "starter", None), (0, "draft", None), (1, "debug", None))
    assert choose(tree, TreeSettings(drafts=1, debug_depth=1), 0).kind == "draft"


def test_each_policy_improves_its_own() -> None:
    tree = tree_of((None, "starter", 3.0), (0, "draft", 1.0), (1, "improve", 1.5), (1, "improve", 2.0))
    chosen = {seed: choose(tree, TreeSettings(drafts=1, policy="random"), seed).parent.id for seed in range(20)}
    assert len(set(chosen.values())) > 1
    assert choose(tree, TreeSettings(drafts=1), 0).parent.id == 1
    assert choose(tree, TreeSettings(drafts=1, policy="ucb", exploration=0), 0).parent.id == 1
    assert choose(tree, TreeSettings(drafts=1, policy="ucb", exploration=2), 0).parent.id != 1


def test_an_answer_is_a_plan_and_its_longest_block() -> None:
    answer = "Use trees.\n```sh\npip list\n```\nThen:\n```python\nprint(1)\nprint(2)\n```\nDone."
    assert read(answer).script == "print(1)\nprint(2)\n"
    with pytest.raises(AnswerError, match="no whole script"):
        read("```python\nprint(1)\n")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "train.py").write_text(STARTER)
    return Bench(tmp_path, budget=Budget(steps=19))


def agent(server: LlmServer, recorder: Recorder | None = None, **settings: JSON) -> TreeAgent:
    return TreeAgent(context(server, recorder, settings={**FAST, **settings}))


def fails_at_first(body: dict[str, Any]) -> str:
    return next_script(body, SCRIPT)


def test_it_searches_within_its_budget_and_submits_the_best(serve: Serve, bench: Bench) -> None:
    server = serve(fails_at_first)
    steps = bench.run(partial(agent, server))
    assert steps[-1].effect.final
    last = search_tree(agent_state(bench))
    assert last is not None
    assert [node.value for node in last.nodes[:3]] == [3.5, 1.5, None]
    assert {node.kind for node in last.nodes} == {"starter", "draft", "debug", "improve"}
    best = last.best
    assert best is not None
    assert (best.value, best.id, last.submitted) == (1.5, 1, 1)
    assert (bench.root / "train.py").read_text() == "print('validation mae: 1.5')\n"
    assert steps[-2].effect.training_run is not None, "the best one is run again, so that it is what is submitted"
    assert "1.5" in str(steps[-1].decision.action.args["final_answer"])
    told = server.requests[-1].prompt
    for part in ("lower is better", "node 1, draft: validation mae 1.5", "failed, ValueError", "left. A node, failed"):
        assert part in told


def test_a_model_that_never_looks_is_shown_the_workspace_and_the_best_script_before_a_draft(
    serve: Serve, bench: Bench
) -> None:
    server = serve(fails_at_first)
    bench.run(partial(agent, server, drafts=3))
    first, second = server.requests[0].prompt, server.requests[1].prompt
    assert "What lies in the workspace:\nFiles:\ntrain.py" in first
    assert "The script of node 1, draft" not in first
    assert "The script of node 0, starter" in second
    assert "The script of node 1, draft" in second
    assert "node 1, draft: validation mae 1.5 after " in second


def test_of_a_long_plan_whole_words_are_kept() -> None:
    plan = read("very " * 400 + "\n```python\npass\n```").plan
    assert len(plan) <= PLAN_LIMIT
    assert plan.endswith("very …")


def agent_state(bench: Bench) -> JSON:
    state: JSON = json.loads(bench.states[-1])
    return state


@pytest.mark.parametrize("policy", ["greedy", "ucb", "random"])
def test_a_resumed_search_is_the_same_search(serve: Serve, tmp_path: Path, policy: str) -> None:
    server, runs = serve(fails_at_first), []
    for name, fresh in (("a", False), ("b", True)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.py").write_text(STARTER)
        runs.append(Bench(tmp_path / name, budget=Budget(steps=15)))
        runs[-1].run(partial(agent, server, policy=policy), fresh_each_step=fresh)
    first, second = ([(s.decision.prose, s.decision.action) for s in run.steps] for run in runs)
    assert first == second
    assert runs[0].states == runs[1].states


def test_a_model_that_stops_answering_costs_nothing_that_was_found(serve: Serve, bench: Bench) -> None:
    good = fails_at_first({"messages": [{"content": "node 0, starter"}]})
    server = serve([good, *[Reply("I cannot go on.")] * 9])
    steps = bench.run(partial(agent, server, repairs=1))
    assert [step.decision.action.name for step in steps] == [
        "Execute Script", "Write File", "Execute Script", "Final Answer",
    ]  # fmt: skip
    assert "no whole script" in steps[-1].decision.prose["problem"]
    assert len(steps[-1].decision.calls) == 2


def test_a_model_that_never_answers_ends_the_run_where_nothing_was_measured(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('no value')\n")
    server = serve([Reply("No.")] * 9)
    with pytest.raises(GaveUpError):
        Bench(tmp_path, budget=Budget(steps=9)).run(partial(agent, server, repairs=0))
