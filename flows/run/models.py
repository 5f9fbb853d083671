"""Models and literature for the scripts of a run: those of ``--gateway``, and what its task offers."""

from __future__ import annotations

from contextlib import ExitStack

from agent.models.calls import Models
from agent.models.gateway import Gateway, Offers
from agent.protocol import AgentContext
from environment.budgets import BudgetMeter
from environment.gateway.offered import offered_by, require_own_network
from environment.literature import open_literature
from environment.sandbox import Sandbox
from environment.sandbox.offering import SOCKET, OfferedSandbox
from environment.snapshots.walk import scratch_folder
from flows.run.opened import OpenedRun


def offer_models(
    run: OpenedRun, context: AgentContext, meter: BudgetMeter, on_close: ExitStack
) -> tuple[Sandbox, Gateway | None]:
    """The sandbox of the run's scripts, and the gateway in it where the config asks for one, or the task offers."""
    config, offered = run.config, offered_by(run.task, run.data)
    if not config.gateway:
        if offered is None:
            return run.sandbox, None
        require_own_network(run.task, run.sandbox)
    offers = Offers(
        models=Models(context) if config.gateway else None,
        literature=open_literature(run.settings.literature_feed) if config.literature else None,
        task=offered,
    )
    folder = on_close.enter_context(scratch_folder("mlab-gateway-"))
    gateway = Gateway(offers, folder / SOCKET, meter.affords, context.calls)
    on_close.callback(gateway.close)
    return OfferedSandbox(run.sandbox, folder, offered), gateway
