"""A sweep file: which runs, under what limits, and how often an infrastructure failure is tried again.

No postponed annotations here: Prefect builds a form from the real types.
"""

from pathlib import Path
from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    JsonValue,
    PositiveInt,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
)

from environment.gpus.choice import AUTO, Gpus
from environment.records import LAST, Budget, MemoryName, ProfileName, SubmitRule
from flows.errors import UsageError
from flows.sweep.reading import read_yaml
from foundation.records import Record
from foundation.validation import faults
from tasks_catalog.library.spec import Variant

Settings = dict[str, JsonValue]
Pattern = dict[str, JsonValue]


def _listed(value: object) -> object:
    return [value] if isinstance(value, str | dict) else value


Several = BeforeValidator(_listed)
"""A list may be left out where there is one of a thing."""

PATTERN_FIELDS = frozenset({"task", "agent", "model", "seed", "settings"})


class AgentEntry(Record):
    """An agent with models and settings of its own, in place of the sweep's."""

    agent: str = Field(description="name of an agent, or module:Class")
    models: Annotated[tuple[str, ...] | None, Several] = Field(
        default=None, description="provider:model; an empty list for none"
    )
    settings: Annotated[tuple[Settings, ...] | None, Several] = Field(default=None, description="one run for each")
    guard: bool = Field(default=False, description="tell it which of its statements the record contradicts")
    guard_model: str | None = Field(default=None, description="provider:model that reads for the guard")
    submit: SubmitRule = Field(default=LAST, description="which step's workspace is graded")
    memory: MemoryName | None = Field(default=None, description="knowledge base that it may recall")
    memory_of_same_data: bool = Field(default=False, description="also what was learned on the same hidden data")
    gateway: bool = Field(default=False, description="offer its models to scripts, as the agent cli needs")


def _entry(value: object) -> object:
    return {"agent": value} if isinstance(value, str) else value


NamedAgent = Annotated[AgentEntry, BeforeValidator(_entry, json_schema_input_type=str | AgentEntry)]
"""An agent by its name alone, or with more to say."""


def _seeds(value: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(value)
    except ValidationError:
        raise ValueError("should be how many seeds, from 1 on, or a list of seeds such as [0, 1, 2]") from None


Seeds = Annotated[PositiveInt | tuple[int, ...], WrapValidator(_seeds)]


class Retries(Record):
    """How infrastructure failures are tried again. What an agent fails at is never tried again."""

    attempts: PositiveInt = Field(default=3, description="in all; 1 for no second one")
    wait: float = Field(
        default=10, ge=0, allow_inf_nan=False, description="seconds before the second attempt, then doubling"
    )
    longest_wait: float = Field(default=300, ge=0, allow_inf_nan=False, description="seconds")


class SweepSpec(Record):
    """Tasks × agents × models × settings × seeds, less what is excluded, and what is included besides."""

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=100, description="names the sweep in the store and in tags"
    )
    tasks: Annotated[tuple[str, ...], Several] = Field(
        default=(), description="names in the catalogue, or task folders"
    )
    agents: Annotated[tuple[NamedAgent, ...], Several] = Field(
        default=(), description="names, or entries with models and settings of their own"
    )
    models: Annotated[tuple[str, ...], Several] = Field(
        default=(), description="provider:model, for agents that name none"
    )
    settings: Annotated[tuple[Settings, ...], Several] = Field(
        default=({},), description="agent settings, for agents that name none"
    )
    seeds: Seeds = Field(default=1, description="how many from 0 on, or which")
    exclude: tuple[Pattern, ...] = Field(default=(), description="runs that match: a value or a list for each field")
    include: tuple[Settings, ...] = Field(default=(), description="further runs, each by the fields of its config")
    variant: Variant = Field(default=Variant.MINI, description="mini: offline stand-in; full: the benchmark's data")
    sandbox: str = Field(default="auto", description="where scripts run: auto, docker, bubblewrap or none")
    gpus: Gpus = Field(default=AUTO, description="cards of each run: none, a number, or id:0,2; auto: one that is free")
    share_gpus: bool = Field(default=False, description="let several runs use one card")
    profile: ProfileName = Field(default="default", description="which actions agents are offered")
    budget: Budget = Field(default=Budget(), description="limits of each run")
    intermediate: bool = Field(default=False, description="grade every step of a run when it is over")
    money: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="US dollars for the whole sweep; runs then need a money limit of their own",
    )
    retries: Retries = Field(default=Retries(), description="how infrastructure failures are tried again")

    @field_validator("exclude")
    @classmethod
    def _known_fields(cls, patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        for pattern in patterns:
            unknown = pattern.keys() - PATTERN_FIELDS
            if unknown or not pattern:
                raise ValueError(f"{pattern} must name some of {', '.join(sorted(PATTERN_FIELDS))}, nothing else")
        return patterns

    def with_options(self, **options: object) -> "SweepSpec":
        """The sweep with what the command line says, which counts; ``None`` leaves what the file says.

        Raises:
            UsageError: An option has a value that is none.
        """
        said = {name: value for name, value in options.items() if value is not None}
        try:
            return self.model_validate({**self.model_dump(), **said})
        except ValidationError as error:
            raise UsageError("\n".join(faults(error, of=SweepSpec))) from error


def read_sweep(path: Path) -> SweepSpec:
    """Read a sweep file; its name is the file's where it has none.

    Raises:
        UsageError: It cannot be read, is no YAML, or says something a sweep doesn't know.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise UsageError(f"{path} must be a mapping.", hint="It begins with lines such as `tasks: [house-price]`.")
    try:
        return SweepSpec.model_validate({"name": path.stem.lower(), **content})
    except ValidationError as error:
        raise UsageError("\n".join([f"{path}:", *faults(error, of=SweepSpec)])) from error
