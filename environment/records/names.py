"""What a benchmark run is called, by its config: the same in MLflow, in Prefect and in the terminal."""

from __future__ import annotations

from pathlib import Path

from environment.records.config import RunConfig


def task_name(config: RunConfig) -> str:
    """The task's name, where the config names it by its folder."""
    return Path(config.task).name


def agent_name(config: RunConfig) -> str:
    """The agent's short name: the class of an import path."""
    return config.agent.rpartition(":")[2]


def contestant_name(config: RunConfig) -> str:
    """``react · openai:gpt-5.1``: the agent with the model it uses."""
    name = agent_name(config)
    return f"{name} · {config.model}" if config.model else name


def run_name(config: RunConfig) -> str:
    """``house-price · tuner · seed 0``."""
    return f"{task_name(config)} · {contestant_name(config)} · seed {config.seed}"
