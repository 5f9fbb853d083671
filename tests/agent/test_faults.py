"""The place of a mistake in a person's own agent is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import AgentError
from agent.protocol import AgentContext
from agent.registry import make_agent
from foundation.faults import where_it_failed
from tests.agent.bench import Bench

LIBRARY_RAISES = """
import json

def decide(view):
    return json.loads("no json")
"""


def test_the_innermost_frame_of_the_persons_own_code_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mistaken.py"
    file.write_text(LIBRARY_RAISES)
    agent = make_agent(f"{file}:decide", AgentContext())
    with pytest.raises(ValueError, match="Expecting value") as caught:
        agent.decide(Bench(tmp_path).view())
    assert where_it_failed(caught.value) == f"{file}, line 5, in decide"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def decide(view:\n", r"cannot be loaded: SyntaxError: .*mistaken\.py, line 1\)"),
        ("import sys\nsys.exit(0)\n", r"cannot be loaded: SystemExit: 0 \(.*mistaken\.py, line 2, "),
        ("x = {}['oops']\n", r"cannot be loaded: KeyError: 'oops' \(.*mistaken\.py, line 1, "),
        (
            "class decide:\n    def __init__(self): self.x = {}['oops']\n"
            "    def decide(self, view): ...\n    def state(self): ...\n    def restore(self, state): ...\n",
            r"cannot be made: KeyError: 'oops' \(.*mistaken\.py, line 2, in __init__",
        ),
    ],
)
def test_an_agent_that_cannot_be_loaded_is_told_with_its_line(tmp_path: Path, code: str, told: str) -> None:
    file = tmp_path / "mistaken.py"
    file.write_text(code)
    with pytest.raises(AgentError, match=told):
        make_agent(f"{file}:decide", AgentContext())
