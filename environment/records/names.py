"""What a benchmark run is called, by its config: the same in MLflow, in Prefect and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from environment.records.config import BEST_VALIDATED, RunConfig
from foundation.text import clipped

GUARDED = "guarded"
MAX_SETTINGS = 60
"""Characters of an agent's settings in a name."""
CONNECTION = frozenset({"model.base_url", "model.timeout"})
"""Settings that say how a model is reached, and nothing of what it does."""


def task_name(config: RunConfig) -> str:
    """The task's name, where the config names it by its folder."""
    return Path(config.task).name


def agent_name(config: RunConfig) -> str:
    """The agent's short name: the class of an import path."""
    return config.agent.rpartition(":")[2]


def conditions(config: RunConfig) -> Iterator[str]:
    """What, besides agent and model, makes its runs a contestant of their own."""
    if config.guard:
        yield GUARDED
    if config.submit == BEST_VALIDATED:
        yield config.submit
    if config.memory:
        yield f"memory {config.memory}"
    if config.best_of:
        yield f"best of {len(config.best_of)}"


def contestant_name(config: RunConfig) -> str:
    """``react · openai:gpt-5.1 · guarded``: the agent, the model it uses, and under what conditions."""
    return " · ".join(filter(None, (agent_name(config), config.model, *conditions(config))))


def run_name(config: RunConfig) -> str:
    """``house-price · tuner · trials 4 · seed 0``."""
    named = {name: value for name, value in config.settings.items() if name not in CONNECTION}
    settings = ", ".join(f"{name} {' '.join(str(value).split())}" for name, value in named.items())
    shown = clipped(settings, MAX_SETTINGS)
    return " · ".join(filter(None, (task_name(config), contestant_name(config), shown, f"seed {config.seed}")))
