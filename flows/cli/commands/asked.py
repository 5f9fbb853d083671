"""What the options of ``mlab run`` and its kin ask for, checked before anything is started."""

from __future__ import annotations

from pydantic import ValidationError

from agent.models.factory import make_model
from agent.models.secrets import read_secrets
from agent.models.settings import ModelSettings
from agent.registry import WITH_MODEL, WITHOUT_MODEL
from agent.settings import MODEL_PREFIX, read_settings
from environment.records import RunConfig
from flows.cli.pairs import parse_settings
from flows.cli.run_options import RunOptions
from flows.errors import UsageError
from foundation.validation import faults


def config_of(options: RunOptions) -> RunConfig:
    """The config that the options of ``mlab run`` ask for.

    Raises:
        UsageError: They do not fit each other, or one has a value that the config refuses.
    """
    if options.memory_of_same_data and options.memory is None:
        raise UsageError(
            "--memory-of-same-data says which lessons of a knowledge base count, and none is named.",
            hint="Add --memory NAME, or leave it out.",
        )
    as_named = {name: value for name, value in vars(options).items() if name in RunConfig.model_fields}
    meant = {
        "agent": _agent_of(options),
        "gpus": options.gpus or "auto",
        "settings": parse_settings(options.setting or []),
        "guard": options.guard or options.guard_model is not None,
        "budget": options.budget,
        "people": options.people,
    }
    return new_config(**as_named | meant)


def _agent_of(options: RunOptions) -> str:
    """The agent, which has to call a model where one is named."""
    agent = agent_for(options.agent, options.model)
    for role, name in (("fast", options.fast_model), ("edit", options.edit_model)):
        if name is not None and agent in WITHOUT_MODEL:
            raise _calls_none(agent, f"--{role}-model")
    return agent


def new_config(**fields: object) -> RunConfig:
    """A run's config from the command line's options.

    Raises:
        UsageError: An option has a value that the config refuses.
    """
    try:
        return RunConfig.model_validate(fields)
    except ValidationError as error:
        raise UsageError("\n".join(faults(error))) from error


def agent_for(agent: str | None, model: str | None) -> str:
    """The agent that was asked for, or the usual one with or without a model.

    Raises:
        UsageError: A model for an agent that calls none.
    """
    if agent is None:
        return "research" if model else "tuner"
    if model and agent in WITHOUT_MODEL:
        raise _calls_none(agent, "--model")
    return agent


def _calls_none(agent: str, option: str) -> UsageError:
    return UsageError(
        f"The agent {agent} calls no model.", hint=f"Leave out {option}, or take one of: {', '.join(WITH_MODEL)}."
    )


def check_models(config: RunConfig) -> None:
    """Find a missing key or library.

    Raises:
        MlabError: One is missing, in words.
    """
    names = {config.guard_model}
    if config.model is not None and config.agent in WITH_MODEL:
        names |= {config.model, config.fast_model, config.edit_model}
    settings, secrets = read_settings(ModelSettings, MODEL_PREFIX, config.settings), read_secrets()
    for name in sorted(name for name in names if name is not None):
        make_model(name, settings, secrets)
