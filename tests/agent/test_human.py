"""A person at the terminal, with typed answers."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from agent.errors import AgentError
from agent.human import HumanAgent
from agent.protocol import AgentContext
from environment.actions.spec import ActionSpec
from environment.records import Action
from tests.agent.bench import ACTIONS, Bench, spec


class Terminal(Console):
    """A console whose person has typed everything in advance."""

    def __init__(self, *typed: str) -> None:
        super().__init__(file=io.StringIO(), width=100)
        self._typed = iter(typed)

    def input(self, *args: object, **kwargs: object) -> str:
        return next(self._typed)

    @property
    def shown(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "train.py").write_text("print('[bold]mae[/bold]')\n")
    return Bench(tmp_path)


def decide(bench: Bench, *typed: str) -> tuple[dict[str, str], Action, str]:
    terminal = Terminal(*typed)
    decision = HumanAgent(AgentContext(), terminal).decide(bench.view())
    return decision.prose, decision.action, terminal.shown


def test_a_thought_an_action_and_its_arguments(bench: Bench) -> None:
    prose, action, shown = decide(bench, "run it first", "4", "train.py")
    assert prose == {"thought": "run it first"}
    assert action == Action(name="Execute Script", args={"script_name": "train.py"})
    assert "Make train.py better." in shown
    assert "Step 0 of 50" in shown


class Gone(Terminal):
    """A terminal that was closed."""

    def input(self, *args: object, **kwargs: object) -> str:
        raise EOFError


def test_nobody_at_the_terminal_is_told_as_that(bench: Bench) -> None:
    with pytest.raises(AgentError, match="Nobody can answer: standard input has ended"):
        HumanAgent(AgentContext(), Gone()).decide(bench.view())


def test_a_text_of_several_lines_and_a_second_try(bench: Bench) -> None:
    _, action, shown = decide(bench, "", "99", "3", "new.py", "a = 1", "", "print(a)", ".")
    assert action.args == {"file_name": "new.py", "content": "a = 1\n\nprint(a)\n"}
    assert "Type the number or the name of one of the actions above." in shown


def test_a_text_comes_from_an_editor(bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    editor = tmp_path / "write it"
    editor.write_text("#!/bin/sh\necho 'a = 2' > \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", f"'{editor}'")
    _, action, _ = decide(bench, "", "3", "new.py", ":e")
    assert action.args["content"] == "a = 2\n"


@pytest.mark.parametrize("editor", ["false", "/nowhere/vi"])
def test_an_editor_that_fails_ends_nothing(bench: Bench, editor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", editor)
    _, action, shown = decide(bench, "", "3", "new.py", ":e", "a = 2", ".")
    assert action.args["content"] == "a = 2\n"
    assert f"{editor}: Editing failed" in shown
    assert "Write the text here, or ':e' to try again." in " ".join(shown.split())


def test_an_action_is_chosen_by_its_name_or_its_beginning(bench: Bench) -> None:
    for typed in ("Write File", "write"):
        _, action, _ = decide(bench, "", typed, "new.py", "a = 1", ".")
        assert action.name == "Write File"


def test_what_actions_do_is_told_once_and_when_asked(bench: Bench) -> None:
    terminal = Terminal("", "4", "train.py", "", "?", "5", "done")
    agent = HumanAgent(AgentContext(), terminal)
    bench.step(agent)
    assert terminal.shown.count("What it does") == 1
    agent.decide(bench.view())
    assert terminal.shown.count("What it does") == 2
    assert "4 Execute Script" in terminal.shown


def test_the_last_observation_is_shown_as_it_is(bench: Bench) -> None:
    bench.step(HumanAgent(AgentContext(), Terminal("", "4", "train.py")))
    _, _, shown = decide(bench, "", "5", "done")
    assert "[bold]mae[/bold]" in shown


def test_numbers_are_numbers_and_optional_arguments_may_be_left_out(bench: Bench) -> None:
    usage = {"start_line_number": "first", "note": "optional"}
    schema: dict[str, object] = {
        "properties": {"start_line_number": {"type": "integer"}, "note": {"type": "string"}},
        "required": ["start_line_number"],
    }
    lines = ActionSpec(name="Inspect", description="", usage=usage, returns="", input_schema=schema)
    bench.actions = [*ACTIONS, lines, spec("Other")]
    _, action, _ = decide(bench, "", "6", "7", "")
    assert action.args == {"start_line_number": 7}
