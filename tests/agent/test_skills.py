"""The composite skills, in the real environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.models.calls import Models
from agent.skills.base import SkillContext, Toolbox
from agent.skills.choice import SKILLS
from environment.records import Action, Decision, Outcome
from tests.agent.bench import Bench
from tests.agent.conftest import Serve, context
from tests.agent.llm_server import LlmServer
from tests.environment.bench import Bench as Real
from tests.environment.bench import make_bench

SCRIPT = "import time\n\nrate = 0.1\nprint(rate)\n"


@pytest.fixture
def real(tmp_path: Path) -> Real:
    made = make_bench(tmp_path)
    (made.root / "train.py").write_text(SCRIPT)
    return made


def use(real: Real, server: LlmServer, name: str, **args: object) -> tuple[Decision, str]:
    """Carry a skill out, and what the agent sees of it."""
    view = Bench(real.root).view()
    view = type(view)(**{**view.__dict__, "look": real.environment.look, "actions": real.environment.actions()})
    session = Models(context(server)).session(0)
    action = Action.model_validate({"name": name, "args": args})
    decision = Toolbox(SKILLS).decision(action, {}, SkillContext(view, session))
    seen = decision.answer or real.environment.act(decision.effective, 0).observation
    return decision, seen.text


def edit(real: Real, server: LlmServer, save_name: str = "train.py") -> tuple[Decision, str]:
    args = {"script_name": "train.py", "edit_instruction": "Use 0.2.", "save_name": save_name}
    return use(real, server, "Edit Script (AI)", **args)


def test_understand_file_answers_from_the_whole_file(serve: Serve, real: Real) -> None:
    server = serve(["The rate is 0.1."])
    _, text = use(real, server, "Understand File", file_name="train.py", things_to_look_for="the rate")
    assert text == "The rate is 0.1."
    assert SCRIPT in server.requests[0].prompt


def test_a_file_longer_than_an_observation_is_read_whole(serve: Serve, real: Real) -> None:
    lines = [f"line {i}: {'x' * 60}" for i in range(600)]
    (real.root / "long.txt").write_text("\n".join(lines))
    server = serve(lambda body: "part")
    use(real, server, "Understand File", file_name="long.txt", things_to_look_for="anything")
    prompts = "\n".join(request.prompt for request in server.requests)
    assert all(line in prompts for line in lines)


def test_a_huge_file_is_read_up_to_the_cap(serve: Serve, real: Real) -> None:
    (real.root / "huge.txt").write_text("0123456789" * 10 + "\n")
    (real.root / "huge.txt").write_text(("0123456789" * 10 + "\n") * 20_000)
    server = serve(lambda body: "part")
    _, text = use(real, server, "Understand File", file_name="huge.txt", things_to_look_for="anything")
    assert len(server.requests) == 11
    assert "not read" in text


def test_a_missing_file_is_the_observation(serve: Serve, real: Real) -> None:
    server = serve([])
    decision, text = use(real, server, "Understand File", file_name="no.txt", things_to_look_for="x")
    assert "no.txt" in text
    assert decision.calls == ()


def test_an_edit_shows_its_difference_and_can_be_undone(serve: Serve, real: Real) -> None:
    server = serve([f"Here it is:\n```python\n{SCRIPT.replace('0.1', '0.2')}```\nRun it:\n```\npython train.py\n```\n"])
    decision, text = edit(real, server)
    assert decision.action.name == "Edit Script (AI)"
    assert decision.effective.name == "Edit Script"
    assert "-rate = 0.1" in text
    assert "+rate = 0.2" in text
    assert (real.root / "train.py").read_text() == SCRIPT.replace("0.1", "0.2")
    real.act("Undo Edit Script", script_name="train.py")
    assert (real.root / "train.py").read_text() == SCRIPT
    assert decision.calls[0].role == "edit"


@pytest.mark.parametrize("answer", ["I cannot.", f"```python\n{SCRIPT}", ""])
def test_an_edit_without_a_whole_code_block_changes_nothing(serve: Serve, real: Real, answer: str) -> None:
    decision, text = edit(real, serve([answer]))
    assert decision.performs is None
    assert decision.answer is not None
    assert decision.answer.outcome is Outcome.FAILED
    assert "nothing was changed" in text


def test_a_missing_script_is_written_from_nothing(serve: Serve, real: Real) -> None:
    (real.root / "train.py").unlink()
    edit(real, serve(["```python\nprint(1)\n```"]), save_name="new.py")
    assert (real.root / "new.py").read_text() == "print(1)\n"


def test_a_segment_is_edited_and_the_rest_stays(serve: Serve, real: Real) -> None:
    server = serve(["```python\nrate = 0.3\n```"])
    args = {"script_name": "train.py", "start_line_number": "3", "end_line_number": 3, "edit_instruction": "0.3"}
    use(real, server, "Edit Script Segment (AI)", **args, save_name="train.py")
    assert (real.root / "train.py").read_text() == SCRIPT.replace("0.1", "0.3")
    assert "import time" not in server.requests[0].prompt
    _, text = use(real, serve([]), "Edit Script Segment (AI)", **{**args, "start_line_number": 30}, save_name="x.py")
    assert "no range" in text


def test_wrong_arguments_are_the_observation(serve: Serve, real: Real) -> None:
    decision, text = use(real, serve([]), "Reflection", things_to_reflect_on=["a", "b"])
    assert decision.answer is not None
    assert decision.answer.outcome is Outcome.REFUSED
    assert "things_to_reflect_on" in text
