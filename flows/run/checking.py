"""Checks that what is asked of a run fits its task and this machine, before anything is started."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from agent.models.prices import load_prices
from agent.models.settings import ModelSettings
from agent.protocol import Agent, AgentContext, CallRecorder
from agent.registry import CLI, ORACLE, REPLAY, TRANSFER, WITH_MODEL, make_agent
from agent.settings import MODEL_PREFIX, read_settings
from environment.journal.entries import Journal
from environment.records import Decision, RunConfig
from environment.sandbox import refuse_unsafe
from environment.store import Store
from flows.errors import UnknownPriceError, UsageError
from flows.names import task_of
from flows.run.finding import find_run
from flows.run.memory import check_memory
from flows.run.transferring import transferred_files
from flows.settings import Settings
from foundation.text import known_names
from tasks_catalog.library.extras import check_extras
from tasks_catalog.library.spec import Task


class Checked(NamedTuple):
    """A config that fits this machine, with its task and its agent, made once."""

    config: RunConfig
    task: Task
    agent: Agent


_CHECKED: ContextVar[list[Checked]] = ContextVar("checked")
"""At most one; who takes it over leaves none, since an agent remembers what it was asked."""


@contextmanager
def handing_on(checked: Checked) -> Iterator[None]:
    """Let the run that is opened inside the block take over what was checked for it."""
    token = _CHECKED.set([checked])
    try:
        yield
    finally:
        _CHECKED.reset(token)


def taken_over(config: RunConfig, settings: Settings, store: Store, journal: Journal) -> tuple[Task, Agent]:
    """Task and agent, taken over from who checked just this config before, else checked now."""
    handed = _CHECKED.get([])
    if handed and handed[0].config == config:
        checked = handed.pop()
    else:
        checked = check_config(config, settings, store, journal.recorder())
    return checked.task, checked.agent


def check_config(config: RunConfig, settings: Settings, store: Store, calls: CallRecorder | None = None) -> Checked:
    """The task and agent of a config, which must fit each other and this machine; starts nothing.

    Raises:
        MlabError: They do not, in words.
    """
    refuse_unsafe(config.sandbox, unsafe=settings.unsafe_no_sandbox)
    if config.people.approve:
        _check_actions(config.people.approve)
    task = task_of(config)
    if config.variant not in task.spec.variants:
        offered = " and ".join(task.spec.variants)
        raise UsageError(f"The task {task.name} has no {config.variant} data.", hint=f"It has: {offered}.")
    check_extras(task.spec.extras, task=config.task)
    check_memory(config, store)
    check_gateway(config, config.sandbox)
    _check_prices(config)
    return Checked(config, task, make_agent(config.agent, agent_context(config, task, store, calls)))


def _check_actions(names: Sequence[str]) -> None:
    # What the actions are made of takes long to load, and few runs name any.
    from environment.actions.registry import ACTIONS

    if unknown := [name for name in names if name not in ACTIONS]:
        raise UsageError(
            f"No action is called {', '.join(map(repr, unknown))}.", hint=known_names(unknown[0], ACTIONS.names())
        )


def check_gateway(config: RunConfig, sandbox: str) -> None:
    """What the gateway needs of a run.

    Args:
        config: What is asked.
        sandbox: Where scripts run.

    Raises:
        UsageError: An agent that needs it has none; or it has no model, or a sandbox without a network of its own.
    """
    if not config.gateway:
        if config.agent == CLI:
            raise UsageError(
                "The agent cli needs its models inside the sandbox.",
                hint="Add --gateway; in a sweep, `gateway: true` to the agent's entry.",
            )
        return
    if config.model is None:
        raise UsageError(
            "Without a model there is none to offer to scripts.", hint="Give --model, or leave --gateway out."
        )
    if sandbox == "none":
        raise UsageError(
            "Models are offered inside a sandbox only.", hint="Leave --gateway or --unsafe-no-sandbox out."
        )


def _check_prices(config: RunConfig) -> None:
    """A limit on money ends a run with its first call of an unknown price: better that none is paid for."""
    if config.budget.money is None or config.model is None or config.agent not in WITH_MODEL:
        return
    settings = read_settings(ModelSettings, MODEL_PREFIX, config.settings)
    table = load_prices(settings.prices)
    for name in (config.model, config.fast_model or config.model, config.edit_model or config.model):
        if table.price(name, settings.base_url) is None:
            asked = f"{name}@{settings.base_url}" if settings.base_url else name
            raise UnknownPriceError(asked)


def agent_context(config: RunConfig, task: Task, store: Store, calls: CallRecorder | None) -> AgentContext:
    """What an agent is made of.

    Raises:
        UsageError: It is to repeat or apply a run that is not named.
        StoreError: That run cannot be read.
    """
    return AgentContext(
        seed=config.seed,
        model=config.model,
        fast_model=config.fast_model,
        edit_model=config.edit_model,
        settings=config.settings,
        calls=calls,
        solution=task.solution if config.agent == ORACLE else None,
        recording=() if config.agent == TRANSFER else _recording(config, store),
        transferred=transferred_files(config, task, store) if config.agent == TRANSFER else {},
        turn=_turn,
    )


def _turn(provider: str) -> AbstractContextManager[None]:
    # Imported with the first call: Prefect takes seconds, and a config is checked without it.
    from flows.services.turns import model_turn

    return model_turn(provider)


def _recording(config: RunConfig, store: Store) -> Sequence[Decision]:
    if config.recording is not None:
        return [step.decision for step in Journal(store, find_run(store, config.recording)).steps()]
    if config.agent == REPLAY:
        raise UsageError("The replay agent has no run to repeat.", hint="Name one with --recording RUN.")
    return ()
