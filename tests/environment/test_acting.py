"""The environment as a whole: what is on offer, what is refused, what is kept for a resume."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from environment.acting import Environment
from environment.actions.registry import ACTIONS
from environment.errors import SandboxError
from environment.gpus.card import Card
from environment.records import Action, HeldBy, Outcome, TrainingRun
from environment.sandbox.base import Execution, Limits
from environment.training.background import Beside
from tasks_catalog.library.errors import InvalidSubmissionError
from tests.environment.bench import LIMITS, Bench, make_bench

ORIGINAL = {
    "List Files": ["dir_path"],
    "Read File": ["file_name"],
    "Write File": ["file_name", "content"],
    "Append File": ["file_name", "content"],
    "Copy File": ["source", "destination"],
    "Inspect Script Lines": ["script_name", "start_line_number", "end_line_number"],
    "Undo Edit Script": ["script_name"],
    "Execute Script": ["script_name"],
    "Python REPL": ["command"],
    "Request Help": ["request"],
    "Final Answer": ["final_answer"],
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return make_bench(tmp_path)


def names(bench: Bench) -> list[str]:
    return [spec.name for spec in bench.environment.actions()]


def test_every_action_of_the_original_has_its_name_and_required_arguments() -> None:
    for name, arguments in ORIGINAL.items():
        assert ACTIONS.load(name).spec().input_schema["required"] == arguments


def test_actions_are_offered_only_where_they_can_be_carried_out(bench: Bench, tmp_path: Path) -> None:
    assert not {"Request Help", "Validate Submission", "Search Literature", "Edit Script"} & set(names(bench))
    full = make_bench(tmp_path, ask=str.upper, validate=lambda folder: None)
    assert {"Request Help", "Validate Submission"} <= set(names(full))


def test_the_papers_agent_sees_what_it_saw_and_may_name_what_it_might(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, profile="paper")
    assert set(names(bench)) == {
        "List Files", "Copy File", "Undo Edit Script", "Execute Script", "Inspect Script Lines", "Final Answer"
    }  # fmt: skip
    assert bench.outcome("Write File", file_name="a", content="b") is Outcome.OK
    assert bench.outcome("Run Shell Command", command="ls") is Outcome.REFUSED
    assert bench.text("Read File", file_name="nope").startswith("EnvError: Cannot read nope")
    assert bench.text("Final Answer", final_answer="done") == "end"


def test_usage_tells_required_arguments_first_and_optional_ones_as_such(bench: Bench) -> None:
    spec = next(spec for spec in bench.environment.actions() if spec.name == "Execute Script")
    assert list(spec.usage) == ["script_name", "arguments", "timeout", "wait"]
    assert not spec.usage["script_name"].startswith("(optional)")
    assert spec.usage["timeout"].startswith("(optional) ")


def test_an_unknown_action_is_refused_with_those_on_offer(bench: Bench) -> None:
    observation = bench.act("execute script", script_name="train.py").observation
    assert observation.outcome is Outcome.REFUSED
    first, *offered = observation.text.splitlines()
    assert first.startswith("Invalid action: execute script. Action did not execute.")
    assert offered == names(bench)


def test_wrong_arguments_are_named_with_what_is_expected(bench: Bench) -> None:
    observation = bench.act("Copy File", source=5, target="x").observation
    assert observation.outcome is Outcome.REFUSED
    assert observation.text == (
        "The arguments of Copy File are wrong; nothing was done.\n"
        "- source: Input should be a valid string\n"
        "- destination: is missing\n"
        "- target: is not an argument of this action\n"
        "Copy File takes:\n"
        "- source: path of the file to copy\n"
        "- destination: path of the copy"
    )


def test_looking_reads_and_does_nothing_else(bench: Bench) -> None:
    bench.act("Write File", file_name="a", content="x")
    before = bench.environment.state()
    look = bench.environment.look
    assert look(Action(name="Read File", args={"file_name": "a"})).text == "x"
    refused = look(Action(name="Write File", args={"file_name": "a", "content": ""}))
    assert refused.outcome is Outcome.REFUSED
    assert refused.text == "Write File takes a step; only actions that read can be used between steps."
    assert look(Action(name="Nope")).outcome is Outcome.REFUSED
    assert bench.environment.state() == before


def test_a_long_observation_is_cut_on_lines_and_kept_whole(bench: Bench) -> None:
    lines = [f"line {n}" for n in range(10_000)]
    (bench.root / "long.txt").write_text("\n".join(lines))
    observation = bench.act("Read File", file_name="long.txt").observation
    head, note, tail = observation.text.partition("[… ")
    note, _, tail = tail.partition(" cut here …]\n")
    shown = [*head.splitlines(), *tail.splitlines()]
    assert (shown[0], shown[-1]) == ("line 0", "line 9999")
    assert set(shown) <= set(lines)
    assert note.split(" lines")[0] == f"{10_000 - len(shown):,}"
    assert observation.full is not None
    assert bench.store.get_object(observation.full).decode() == "\n".join(lines)


@pytest.mark.slow
def test_a_hundred_thousand_files_are_listed_in_short(bench: Bench) -> None:
    bench.act("Run Shell Command", command="mkdir many && cd many && seq -w 100000 | xargs touch")
    started = time.monotonic()
    observation = bench.act("List Files", dir_path="many").observation
    assert time.monotonic() - started < 10
    assert observation.text.startswith("000001\n")
    assert observation.text.endswith("\n100000")
    assert "lines" in observation.text
    assert len(observation.text) < 20_000


def test_help_is_asked_and_waiting_is_told_apart(tmp_path: Path) -> None:
    def ask(request: str) -> str:
        time.sleep(0.2)
        return f"You asked: {request}"

    effect = make_bench(tmp_path, ask=ask).act("Request Help", request="why?")
    assert effect.observation.text == "You asked: why?"
    assert effect.seconds >= effect.waited_seconds >= 0.2


def test_validation_speaks_of_the_form_alone(tmp_path: Path) -> None:
    def validate(folder: Path) -> None:
        if not (folder / "submission.csv").exists():
            raise InvalidSubmissionError("submission.csv is missing")

    bench = make_bench(tmp_path, validate=validate, validations=3)
    told = next(spec for spec in bench.environment.actions() if spec.name == "Validate Submission")
    assert told.description.endswith("This run has 3.")
    observation = bench.act("Validate Submission").observation
    assert observation.outcome is Outcome.FAILED
    assert observation.text == "The submission is not valid: submission.csv is missing\n2 of 3 checks are left."
    (bench.root / "submission.csv").touch()
    assert bench.text("Validate Submission") == "The format of the submission is valid. 1 of 3 checks are left."


def test_checks_are_counted_across_a_resume_and_run_out(tmp_path: Path) -> None:
    asked: list[Path] = []
    before = make_bench(tmp_path, validate=asked.append, validations=2)
    before.act("Validate Submission")
    bench = make_bench(tmp_path, validate=asked.append, validations=2)
    bench.environment.restore(before.environment.state())
    assert bench.environment.look(bench.action("Validate Submission")).outcome is Outcome.REFUSED
    assert "0 of 2 checks" in bench.text("Validate Submission")
    observation = bench.act("Validate Submission").observation
    assert observation.outcome is Outcome.REFUSED
    assert observation.text == "All 2 checks of this run are used; nothing was checked."
    assert len(asked) == 2


def test_a_final_answer_ends_the_run(bench: Bench) -> None:
    assert bench.act("Final Answer", final_answer="done").final
    assert not bench.act("Final Answer").final


def test_a_broken_sandbox_is_no_observation(tmp_path: Path) -> None:
    class Broken:
        name = "broken"
        cards: tuple[Card, ...] = ()
        held_by = HeldBy(memory="", processes="", cpus="", disk="", time="")

        def run(self, *args: object, **options: object) -> Execution:
            raise SandboxError("no sandbox today")

        def execute(
            self, script: str, args: Sequence[str], n: int, limits: Limits, beside: Beside | None = None
        ) -> tuple[TrainingRun, Execution]:
            raise SandboxError("no sandbox today")

        def watch(self, argv: Sequence[str], n: int, limits: Limits) -> tuple[Execution, tuple[TrainingRun, ...]]:
            raise SandboxError("no sandbox today")

        def lost(self, script: str, args: Sequence[str], n: int, limits: Limits) -> tuple[TrainingRun, Execution]:
            raise SandboxError("no sandbox today")

    bench = make_bench(tmp_path)
    (bench.root / "train.py").touch()
    broken = Broken()
    environment = Environment(
        workspace=bench.workspace, sandbox=broken, training=broken, store=bench.store, limits=LIMITS
    )
    for name, args in {
        "Execute Script": {"script_name": "train.py"},
        "Run Shell Command": {"command": "ls"},
        "Python REPL": {"command": "1"},
    }.items():
        with pytest.raises(SandboxError):
            environment.act(Action(name=name, args=dict(args)), 0)
    environment.act(Action(name="Execute Script", args={"script_name": "train.py", "wait": False}), 0)
    with pytest.raises(SandboxError):
        environment.act(Action(name="Check Script", args={"wait": 9}), 0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=5,
)
HARMLESS = sorted(set(ACTIONS.names()) - {"Execute Script", "Run Shell Command", "Python REPL"})


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_an_agent_asks_it_gets_an_observation(bench: Bench, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(HARMLESS))
    fields = ACTIONS.load(name).input.model_fields
    args: dict[str, JsonValue] = data.draw(st.fixed_dictionaries(dict.fromkeys(fields, st.text(max_size=20) | JSON)))
    args |= data.draw(st.dictionaries(st.text(max_size=10), JSON, max_size=1))
    action = Action.model_construct(name=name, args=args)
    effect = bench.environment.act(action, 0)
    assert effect.observation.model_dump_json()
    assert {path.name for path in bench.root.parent.iterdir()} <= {"workspace", "store"}
