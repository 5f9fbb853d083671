"""Settings of agents: one flat namespace, each agent's own part validated by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from agent.errors import AgentSettingsError
from foundation.validation import faults

MODEL_PREFIX = "model"


class AgentSettings(BaseModel):
    """Base of settings classes: a misspelt name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


Settings = TypeVar("Settings", bound=AgentSettings)


def read_settings(kind: type[Settings], prefix: str, settings: Mapping[str, JsonValue]) -> Settings:
    """The settings of one owner, nested (``{"research": {"log": ...}}``) or flat (``research.log``, ``log``).

    Args:
        kind: The class that validates them.
        prefix: The owner: the agent's name, or ``model`` for the models'.
        settings: All settings of the run.

    Raises:
        AgentSettingsError: An unknown name or a wrong value.
    """
    flat = _flatten(settings)
    owned = {name.removeprefix(f"{prefix}."): value for name, value in flat.items() if _owner(name, prefix)}
    try:
        return kind.model_validate(owned)
    except ValidationError as error:
        wrong = "; ".join(faults(error, prefix=f"{prefix}."))
        known = ", ".join(kind.model_fields)
        raise AgentSettingsError(f"Wrong settings: {wrong}", hint=f"{prefix} knows: {known}") from error


def _owner(name: str, prefix: str) -> bool:
    if name.startswith(f"{prefix}."):
        return True
    return prefix != MODEL_PREFIX and not name.startswith(f"{MODEL_PREFIX}.")


def _flatten(settings: Mapping[str, JsonValue], path: str = "") -> dict[str, JsonValue]:
    flat: dict[str, JsonValue] = {}
    for name, value in settings.items():
        full = f"{path}{name}"
        if isinstance(value, dict):
            flat |= _flatten(value, f"{full}.")
        else:
            flat[full] = value
    return flat
