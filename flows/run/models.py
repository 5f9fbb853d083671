"""Models for the scripts of a run (``--gateway``)."""

from __future__ import annotations

from contextlib import ExitStack

from agent.models.calls import Models
from agent.models.gateway import Gateway
from agent.protocol import AgentContext
from environment.budgets import BudgetMeter
from environment.sandbox import Sandbox
from environment.sandbox.offering import SOCKET, OfferingModels
from environment.snapshots.walk import scratch_folder
from flows.errors import UsageError
from flows.run.opened import OpenedRun


def check_gateway(run: OpenedRun) -> None:
    """What the gateway needs of a run.

    Raises:
        UsageError: It has no model, or a sandbox without a network of its own.
    """
    if run.config.model is None:
        raise UsageError(
            "Without a model there is none to offer to scripts.", hint="Give --model, or leave --gateway out."
        )
    if run.sandbox.name == "none":
        raise UsageError(
            "Models are offered inside a sandbox only.", hint="Leave --gateway or --unsafe-no-sandbox out."
        )


def offer_models(
    run: OpenedRun, context: AgentContext, meter: BudgetMeter, on_close: ExitStack
) -> tuple[Sandbox, Gateway | None]:
    """The sandbox of the run's scripts, and the gateway in it where the config asks for one."""
    if not run.config.gateway:
        return run.sandbox, None
    check_gateway(run)
    folder = on_close.enter_context(scratch_folder("mlab-gateway-"))
    gateway = Gateway(Models(context), folder / SOCKET, meter.affords)
    on_close.callback(gateway.close)
    return OfferingModels(run.sandbox, folder), gateway
