"""Runs the real command line in processes of its own."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.flows.forked import Forked, forks

SLOPE = Path(__file__).parents[1] / "tasks" / "slope"
TUNER = ["run", str(SLOPE), "--agent", "tuner", "--set", "trials=4"]
MLAB = [sys.executable, "-m", "flows"]


def mlab(
    *arguments: str, timeout: float = 240, env: Mapping[str, str] | None = None, anew: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, in a process of its own.

    Args:
        arguments: Those of the command.
        timeout: Seconds.
        env: Variables beside those of this process.
        anew: Import everything anew, where a variable counts for that.
    """
    environment = {**os.environ, **(env or {})}
    if not anew:
        process = forks().start(arguments, environment)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(arguments, code, *process.communicate())
    return subprocess.run(
        [*MLAB, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def mlab_json(*arguments: str, expect: int = 0, env: Mapping[str, str] | None = None, anew: bool = False) -> Any:
    """Run one command with ``--json`` and read what it prints."""
    done = mlab(*arguments, "--json", env=env, anew=anew)
    assert done.returncode == expect, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout)


def start(*arguments: str) -> Forked:
    """Start one command with ``--json``, to be disturbed."""
    return forks().start([*arguments, "--json"], os.environ)


def in_terminal(*arguments: str) -> str:
    """Run one command on a terminal of its own, to its end; all that it drew there, redrawn lines too."""
    leader, follower = os.openpty()
    process = forks().start(arguments, os.environ, os.ttyname(follower))
    drawn = b""
    while select.select([leader], [], [], 0.05)[0] or process.poll() is None:
        if select.select([leader], [], [], 0)[0]:
            drawn += os.read(leader, 4_096)
    os.close(leader)
    os.close(follower)
    return drawn.decode()


def only_run(home: Path) -> str:
    """The id of the one run in a home's store; one that was killed before it had a config has not begun."""
    (config,) = (home / "store" / "runs").glob("*/config.json")
    return config.parent.name


def trajectory(run_id: str, env: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """A run's steps without what differs between equal runs: times and ids."""
    return [comparable(step) for step in mlab_json("show", run_id, env=env)]


def comparable(step: dict[str, Any]) -> dict[str, Any]:
    """A step without times and ids."""
    run = step["training_run"]
    kept = {name: step[name] for name in ("n", "prose", "action", "observation", "outcome", "workspace")}
    kept["agent_state"] = step["checkpoint"]["agent_state"]
    if run is not None:
        same = ("script", "script_sha256", "args", "diff", "exit_code", "killed_by", "output", "metrics", "params")
        kept["training_run"] = {name: run[name] for name in same}
    spent = step["checkpoint"]["spent"]
    kept["spent"] = {name: spent[name] for name in ("steps", "tokens", "training_runs", "cost")}
    return kept
