"""What an action looks like to an agent."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from foundation.records import Record


class ActionInput(BaseModel):
    """Base of every action's typed arguments; field descriptions are what the agent reads."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ActionSpec(Record):
    """An action on offer.

    Attributes:
        name: As the agent writes it ("Execute Script").
        description: What it does.
        usage: Argument name to explanation, required ones first.
        returns: What the observation will be.
        input_schema: JSON schema of the arguments, for native tool calling.
        reads_only: True where it changes nothing and may be used through ``View.look``.
    """

    name: str
    description: str
    usage: Mapping[str, str]
    returns: str
    input_schema: dict[str, object]
    reads_only: bool = False


def describe(
    name: str, description: str, returns: str, arguments: type[ActionInput], *, reads_only: bool = False
) -> ActionSpec:
    """The spec of an action whose arguments are a typed class."""
    fields = arguments.model_fields.items()
    usage = {field_name: field.description or "" for field_name, field in fields if field.is_required()}
    usage |= {field_name: f"(optional) {field.description}" for field_name, field in fields if not field.is_required()}
    return ActionSpec(
        name=name,
        description=description,
        usage=usage,
        returns=returns,
        input_schema=arguments.model_json_schema(),
        reads_only=reads_only,
    )
