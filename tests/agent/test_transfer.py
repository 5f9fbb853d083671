"""Texts of a transferred script become what they are on the other task."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import AgentError
from agent.protocol import AgentContext
from agent.transfer import TransferAgent, with_texts
from tests.agent.bench import Bench

SCRIPT = '''é = train["price"]; name = 'price'  # "price" stays here
path = f"data/{name}"; raw = r"price"; longer = "price per night"; data = b"price"
print("""a price""", 'price', price)
'''


def test_whole_texts_are_replaced_and_nothing_else() -> None:
    changed = with_texts(SCRIPT, {"price": "it's fate", "a price": "none"})
    assert (
        changed
        == """é = train["it's fate"]; name = "it's fate"  # "price" stays here
path = f"data/{name}"; raw = "it's fate"; longer = "price per night"; data = b"price"
print('none', "it's fate", price)
"""
    )


@pytest.mark.parametrize("script", ["print('price\n", "def f(:\n  'price'", ""])
def test_what_is_no_python_stays_or_is_replaced_where_it_can_be_read(script: str) -> None:
    assert with_texts(script, {"cost": "x"}) == script


def test_files_are_written_then_the_script_is_run_and_submitted(tmp_path: Path) -> None:
    files = {
        "train.py": "from helper import A\nprint('validation mae:', A['cost'])\n",
        "helper.py": "A = {'cost': 1.5}\n",
    }
    context = AgentContext(transferred=files, settings={"replace": [["cost", "fare"]]})
    (tmp_path / "train.py").write_text("print(1)\n")
    steps = Bench(tmp_path).run(lambda: TransferAgent(context))
    names = [step.decision.action.name for step in steps]
    assert names == ["Write File", "Write File", "Execute Script", "Final Answer"]
    assert (tmp_path / "helper.py").read_text() == "A = {'fare': 1.5}\n"
    assert "validation mae 1.5" in str(steps[-1].decision.action.args["final_answer"])


def test_without_a_script_it_says_how_to_get_one() -> None:
    with pytest.raises(AgentError, match="no script to transfer"):
        TransferAgent(AgentContext())
