"""Other people's agents in the sandbox: each command a step, its scripts training runs, its models the run's.

Their command lines are installed by hand (docs/agents.md), and skipped where they are not.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import LlmServer, Reply
from tests.flows.command import SLOPE, mlab_json

KEY = "sk-planted-0123456789abcdef"
CODEX = Path(sys.executable).parent / "codex"
CODEX_COMMAND = (
    "export CODEX_HOME=/tmp/codex; mkdir -p $CODEX_HOME; codex exec --json --skip-git-repo-check "
    "--dangerously-bypass-approvals-and-sandbox -m main -c model_provider=gateway "
    """-c "model_providers.gateway={name=\\"gateway\\",base_url=\\"$OPENAI_BASE_URL\\",wire_api=\\"responses\\","""
    """env_key=\\"OPENAI_API_KEY\\"}" -c analytics.enabled=false -c check_for_update_on_startup=false - < PROMPT.md"""
)
MINI_COMMAND = (
    "MSWEA_CONFIGURED=true MSWEA_COST_TRACKING=ignore_errors python -m minisweagent.run.mini -y --exit-immediately "
    """-m openai/main -t "$(cat PROMPT.md)" -o /tmp/trajectory.json"""
)


def scripted(tool: str, argument: str, *commands: str) -> Callable[[dict[str, Any]], Reply]:
    """A model that has one command after the other run, and then says so."""

    def reply(body: dict[str, Any]) -> Reply:
        told = body.get("messages") or body.get("input") or []
        done = sum(item.get("role") == "tool" or item.get("type") == "function_call_output" for item in told)
        if done < len(commands):
            return Reply(f"Command {done}.", tools=[(tool, {argument: commands[done]})])
        return Reply("That was all.")

    return reply


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mini", "codex"])
def test_each_command_is_a_step_and_each_script_a_training_run(
    kind: str, mlab_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "mini":
        if importlib.util.find_spec("minisweagent") is None:
            pytest.skip("mini-swe-agent is not installed")
        end = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
        tool, argument, command, last = "bash", "command", MINI_COMMAND, [end]
    else:
        if not CODEX.exists() or shutil.which("node") is None:
            pytest.skip("Codex is not installed beside this Python")
        tool, argument, command, last = "exec_command", "cmd", CODEX_COMMAND, []
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    commands = ["ls", "python train.py", "echo '# a change' >> train.py && python train.py", *last]
    with LlmServer(scripted(tool, argument, *commands)) as server:
        result = mlab_json(
            "run", str(SLOPE), "--agent", "cli", "--gateway", "--model", "openai:test-model",
            "--set", f"model.base_url={server.address}/v1", "--set", f"cli.command={command}",
        )  # fmt: skip
    assert (result["ended_by"], result["training_runs"]) == ("final_answer", 2)
    assert result["tokens"] == 120 * len(server.requests) > 0
    steps = mlab_json("show", result["run_id"])
    assert [step["action"]["name"] for step in steps] == [
        "Write File",
        "Run Command Line",
        *[tool] * len(commands),
        "Final Answer",
    ]
    assert [step["action"]["args"][argument] for step in steps[2:-1]] == commands
    assert "train.py" in str(steps[2]["observation"])
    first, second = (steps[n]["training_run"] for n in (3, 4))
    assert (first["diff"], second["diff"][-10:], first["exit_code"]) == ("", "# a change", 0)
    assert first["metrics"]
    assert all(KEY not in str(step) for step in steps)
