"""What the sweep tests share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.flows.command import SLOPE, mlab

AGENT = "tests.flows.sweep_agents:Scripted"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mlab_environment: Path) -> Path:
    """The folder in which the scripted agent leaves a line for each decision."""
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.setenv("MLAB_TEST_NOTES", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    return folder


def write_sweep(folder: Path, **fields: object) -> str:
    """A sweep file of the scripted agent on the test task."""
    path = folder / "scripted.yaml"
    content = {"tasks": [str(SLOPE)], "agents": [AGENT], "retries": {"wait": 0.1}, **fields}
    path.write_text(yaml.safe_dump(content))
    return str(path)


def sweep_json(file: str, *arguments: str, expect: int = 0) -> dict[str, Any]:
    """Run a sweep to its end and read its report."""
    done = mlab("sweep", file, "--json", *arguments, timeout=1_000)
    assert done.returncode == expect, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def decisions(notes: Path) -> dict[int, list[int]]:
    """The steps each agent was asked for, by seed."""
    return {
        int(path.name.removeprefix("seed-")): [int(line) for line in path.read_text().split()]
        for path in notes.glob("seed-*")
    }


@contextmanager
def held(notes: Path, seed: int) -> Iterator[None]:
    """Keep the agent of this seed at its next decision while the block lasts."""
    marker = notes / f"held-{seed}"
    marker.touch()
    try:
        yield
    finally:
        marker.unlink()


def by_seed(report: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """A report's runs."""
    return {cell["config"]["seed"]: cell for cell in report["cells"]}
