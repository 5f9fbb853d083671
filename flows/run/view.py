"""What an agent is shown of its run before it decides."""

from __future__ import annotations

from collections.abc import Callable

from agent.models.gateway import Gateway, Offers
from agent.protocol import View
from environment.acting import Environment
from environment.budgets import BudgetMeter
from environment.libraries import machine_of
from environment.records import Machine
from environment.sandbox.offering import ADDRESS, LITERATURE_URL
from flows.run.opened import OpenedRun


def view_now(run: OpenedRun, environment: Environment, meter: BudgetMeter, machine: Callable[[], Machine]) -> View:
    """What the agent of ``run`` may know after its last commit; ``machine`` is asked only if the agent asks."""
    spec = run.task.spec
    return View(
        instruction=run.instruction,
        lessons=run.memory.lessons if run.memory else (),
        script=spec.script,
        metric=spec.metric.name,
        direction=spec.metric.direction,
        actions=environment.actions(),
        steps=run.journal.steps(),
        budget=meter.budget,
        spent=meter.spent,
        look=environment.look,
        artifacts=spec.artifacts,
        machine=machine,
    )


def machine_for(run: OpenedRun, gateway: Gateway | None) -> Machine:
    """What the scripts of ``run`` find: cores, memory, packages, and where models and literature answer them."""
    offers = gateway.offers if gateway else Offers()
    models, literature = ADDRESS if offers.models else "", LITERATURE_URL if offers.searches else ""
    return machine_of(run.sandbox, run.limits).model_copy(update={"models": models, "literature": literature})
