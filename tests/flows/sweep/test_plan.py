"""What a sweep file means: its runs, their ids, their cost."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.errors import AgentFaultError
from environment.records import Budget, People, RunConfig
from evaluation.grading import GradingError
from flows.errors import UsageError
from flows.sweep.budget_share import check_cap
from flows.sweep.cells import NOT_IDENTITY, TaskLock, expand, run_id, slips
from flows.sweep.failures import FailureKind, failure_of, failure_of_state
from flows.sweep.spec import SweepSpec, read_sweep
from tasks_catalog.library.spec import Variant

LOCK = TaskLock(task_digest="t", data_digest="d", code_version="1")


def test_a_sweep_is_a_product_less_and_more() -> None:
    spec = SweepSpec.model_validate(
        {
            "name": "s",
            "tasks": ["a", "b"],
            "agents": ["nop", {"agent": "react", "models": ["p:m1", "p:m2"], "settings": [{}, {"t": 1}]}],
            "seeds": [1, 2],
            "exclude": [{"task": "b", "agent": ["nop"]}, {"settings": {"t": 1}, "seed": 2}],
            "include": [{"task": "c", "agent": "tuner", "seed": 9, "budget": {"steps": 3}}],
            "budget": {"money": 1},
        }
    )
    found = [(c.task, c.agent, c.model, dict(c.settings), c.seed) for c in expand(spec)]
    react = [
        (task, "react", model, settings, seed)
        for task in ("a", "b")
        for model in ("p:m1", "p:m2")
        for settings, seed in (({}, 1), ({}, 2), ({"t": 1}, 1))
    ]
    assert sorted(map(str, found)) == sorted(
        map(str, [("a", "nop", None, {}, 1), ("a", "nop", None, {}, 2), *react, ("c", "tuner", None, {}, 9)])
    )
    assert expand(spec)[-1].budget == Budget(steps=3)
    assert expand(spec)[0].budget == Budget(money=1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tasks: a", r"has no runs(.|\n)*names no agents.*`agents: \[tuner\]`"),
        ("seeds: 3", r"has no runs(.|\n)*names no tasks and agents"),
        ("tasks: a\nagents: nop\nexclude: [{task: a}]", r"has no runs(.|\n)*exclude less"),
        ("tasks: [a\n", "is not YAML"),
        ("- a", "must be a mapping"),
        ("tasks: [a]\nagents: [nop]\nseed: 3", r"seed: is not known here\. Did you mean seeds\? Known: name, tasks,"),
        ("task: [a]\nagents: [nop]", r":\ntask: is not known here\. Did you mean tasks\?"),
        (
            "tasks: [a]\nagents: [nop]\nbudget: {stepz: 3}",
            r"budget.stepz: .* Did you mean steps\? Known: steps, seconds,",
        ),
        ("tasks: [a]\ninclude: [{task: a, agnt: nop}]", r"agnt: is not known here\. Did you mean agent\?"),
        ("tasks: [a]\nagents: [nop]\nexclude: [{tsk: a}]", "must name some of"),
        ("tasks: [a]\nagents: [{agent: nop, settings: 3}]", r":\nagents.0.settings: should be a list$"),
        (
            "tasks: [a]\nagents: [{agnt: nop}]",
            r":\nagents.0.agent: is missing\nagents.0.agnt: is not known here\. Did you mean agent\? Known: agent, ",
        ),
        ("tasks: [a]\nagents: [nop]\nseeds: -1", r":\nseeds: should be how many seeds, from 1 on, or a list"),
        ("tasks: [a]\nagents: [nop]\nseeds: [x]", r":\nseeds: should be how many seeds, from 1 on, or a list"),
        ("tasks: [a]\nagents: [nop]\ninclude: [{agent: nop}]", "task: is missing"),
    ],
)
def test_mistakes_in_a_file_are_explained(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(content)
    with pytest.raises(UsageError, match=message):
        expand(read_sweep(file))


def test_a_file_in_another_encoding_is_named_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_bytes("name: été\ntasks: a\nagents: nop # à régler\n".encode("latin-1").replace(b"\xe9", b"e"))
    with pytest.raises(UsageError, match=r"wrong\.yaml is not UTF-8 \(line 3\)\.\nSave it in UTF-8"):
        read_sweep(file)


def _excluding(pattern: Mapping[str, object]) -> SweepSpec:
    agents = ["nop", {"agent": "tree", "models": ["openai:gpt-4.1"], "settings": {"trials": 3}}]
    return SweepSpec.model_validate({"name": "s", "tasks": ["a"], "agents": agents, "seeds": 2, "exclude": [pattern]})


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ({"agent": "tre"}, 'has the agent "tre".\nDid you mean tree? There are: nop, tree.'),
        ({"agent": ["nop", "tre"]}, 'has the agent "tre".\nDid you mean tree? There are: nop, tree.'),
        ({"agent": "nop", "task": "b"}, 'has the task "b".\nThere are: a.'),
        ({"model": "openai:gpt-4"}, 'has the model "openai:gpt-4".\nDid you mean openai:gpt-4.1? There are'),
        ({"settings": {"trails": 3}}, 'has the setting "trails".\nDid you mean trials? There are: trials.'),
    ],
)
def test_an_exclusion_of_a_name_that_no_run_has_is_refused(pattern: Mapping[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        expand(_excluding(pattern))
    assert str(caught.value).startswith(f"exclude: {json.dumps(pattern)}: no run of this sweep {message}")


def test_an_exclusion_that_matches_no_run_is_told() -> None:
    """Its names are right: in a trial of a sweep with fewer seeds, nothing of it need be mended."""
    patterns: list[dict[str, object]] = [
        {"agent": "nop", "seed": [2, 3]},
        {"agent": "nop", "settings": {"trials": 3}},
    ]
    for pattern in patterns:
        spec = _excluding(pattern)
        assert len(expand(spec)) == 4
        assert slips(spec, expand(spec)) == [
            f"exclude: {json.dumps(pattern)} matches no run of this sweep, and excludes nothing."
        ]
    right = _excluding({"agent": "nop", "seed": [1, 2]})
    assert slips(right, expand(right)) == []
    assert len(expand(_excluding({"model": None}))) == 2


def test_what_has_no_effect_is_told() -> None:
    spec = SweepSpec.model_validate(
        {
            "name": "s",
            "tasks": ["a"],
            "agents": ["nop", {"agent": "react", "memory_of_same_data": True}],
            "models": ["openai:m"],
            "seeds": 2,
            "include": [{"task": "a", "agent": "tuner", "fast_model": "openai:f", "edit_model": "openai:e"}],
        }
    )
    assert slips(spec, expand(spec)) == [
        "The agent nop calls no model: model has no effect.",
        "memory_of_same_data says which lessons of a memory count; without `memory` it has no effect.",
        "The agent tuner calls no model: fast_model and edit_model have no effect.",
    ]


def test_an_agent_that_needs_the_gateway_has_it_by_its_entry() -> None:
    entry = {"agent": "cli", "models": ["openai:m"], "settings": {"command": "true"}, "gateway": True}
    [config] = expand(SweepSpec.model_validate({"name": "s", "tasks": ["a"], "agents": [entry]}))
    assert config.gateway


def test_every_field_is_in_or_out_of_the_identity() -> None:
    """A new field of the config belongs to the identity, unless somebody says that results don't depend on it."""
    base = RunConfig(task="t", agent="a")
    changed: dict[str, object] = {
        "agent": "b",
        "variant": Variant.FULL,
        "model": "p:m",
        "fast_model": "p:f",
        "edit_model": "p:e",
        "seed": 1,
        "settings": {"x": 1},
        "budget": Budget(steps=1),
        "sandbox": "none",
        "profile": "paper",
        "recording": "run",
        "literature": True,
        "guard": True,
        "guard_model": "p:m",
        "submit": "best-validated",
        "gateway": True,
        "memory": "houses",
        "memory_of_same_data": True,
        "scripts_at_once": 2,
        "interrupted_scripts": "rerun",
        "best_of": ("a", "b"),
        "people": People(help=True),
        "gpus": "none",
    }
    assert RunConfig.model_fields.keys() == {"task", *changed, *NOT_IDENTITY}
    for name, value in changed.items():
        assert run_id(base.model_copy(update={name: value}), LOCK) != run_id(base, LOCK), name
    assert run_id(base.model_copy(update={"tags": ("x",), "run_id": "y"}), LOCK) == run_id(base, LOCK)
    for part in TaskLock.model_fields:
        assert run_id(base, LOCK.model_copy(update={part: "other"})) != run_id(base, LOCK), part


def test_the_same_task_in_another_folder_is_the_same_run() -> None:
    here, there = RunConfig(task="/here/slope"), RunConfig(task="/there/slope")
    assert run_id(here, LOCK) == run_id(there, LOCK)


def test_failures_are_sorted_by_who_must_act() -> None:
    from environment.errors import RunInterrupted, SandboxUnavailableError, StoreError

    interrupted = RunInterrupted("stopped")
    interrupted.__cause__ = KeyError("x")
    assert failure_of(interrupted).kind is FailureKind.AGENT
    interrupted.__cause__ = ConnectionResetError("x")
    assert failure_of(interrupted).kind is FailureKind.INFRASTRUCTURE
    interrupted.__cause__ = KeyboardInterrupt()
    assert failure_of(interrupted).kind is FailureKind.INFRASTRUCTURE
    assert failure_of(RunInterrupted("signal")).kind is FailureKind.INFRASTRUCTURE
    assert failure_of(StoreError("full")).kind is FailureKind.INFRASTRUCTURE
    assert (
        failure_of(OSError(errno.ENOSPC, "full", "/disk")).message == "No space left on /disk. Free some space there."
    )
    limited = failure_of(OSError(errno.EMFILE, "Too many open files"))
    assert (limited.kind, "OSError" in limited.message) == (FailureKind.SETUP, False)
    assert "`ulimit -n`" in limited.message
    assert failure_of(GradingError("grader")).kind is FailureKind.INFRASTRUCTURE
    assert failure_of(SandboxUnavailableError("none")).kind is FailureKind.SETUP
    assert failure_of(UsageError("typo")).kind is FailureKind.SETUP
    interrupted.__cause__ = AgentFaultError("it wanted to end the process")
    assert failure_of(interrupted).kind is FailureKind.AGENT

    said = "Flow run encountered an exception: "
    assert failure_of_state("Failed", said + "StoreError: full").kind is FailureKind.INFRASTRUCTURE
    assert failure_of_state("Failed", said + "ConnectionError: away").kind is FailureKind.INFRASTRUCTURE
    assert failure_of_state("Failed", said + "ReadTimeout: away").kind is FailureKind.INFRASTRUCTURE  # of httpx
    assert failure_of_state("Failed", said + "KeyError: 'x'").kind is FailureKind.AGENT
    assert failure_of_state("Failed", said + "AgentFaultError: no JSON").kind is FailureKind.AGENT
    assert failure_of_state("Failed", said + "UsageError: typo").kind is FailureKind.SETUP
    assert failure_of_state("Crashed", "exit code -9").kind is FailureKind.INFRASTRUCTURE
    assert failure_of_state("Cancelled", "by somebody").kind is FailureKind.SETUP


def test_the_sweep_in_the_docs_is_one(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs" / "sweeps.md").read_text()
    file = tmp_path / "sweep.yaml"
    file.write_text(text.split("```yaml\n")[1].split("```")[0])
    spec = read_sweep(file)
    configs = expand(spec)
    # nop once and tuner 8 times on each task, react with 2 models and 2 settings, the oracle once
    assert len(configs) == 2 * (1 + 8 + 8 * 2 * 2) + 1
    check_cap(configs, spec.money)
