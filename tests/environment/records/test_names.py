"""What a run is called."""

from __future__ import annotations

from pydantic import JsonValue

from environment.records import RunConfig
from environment.records.names import run_name


def test_how_a_model_is_reached_is_no_part_of_a_name() -> None:
    reached: dict[str, JsonValue] = {"model.base_url": "http://127.0.0.1:8765/v1", "model.timeout": 1_500}
    config = RunConfig(task="house-price", agent="react", model="openai:gpt-4.1", settings={**reached, "history": 3})
    assert run_name(config) == "house-price · react · openai:gpt-4.1 · history 3 · seed 0"
