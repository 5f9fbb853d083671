"""The cards of a run: asked for, looked for, leased."""

from __future__ import annotations

import time
from collections.abc import Callable

from environment.errors import GpuUnavailableError
from environment.gpus.card import Card
from environment.gpus.cards import cards_here
from environment.gpus.choice import NONE, GpuChoice
from environment.gpus.leases import CardLease, CardLeases
from environment.records.config import RunConfig, RunLock
from flows.settings import Settings
from tasks_catalog.library.spec import Task

WAIT_SECONDS = 1.0
"""Between two looks whether a card is free."""


def choice_of(config: RunConfig, settings: Settings, before: RunLock | None = None) -> GpuChoice:
    """Which cards a run wants: as asked, else as this machine is set up; a run that has begun, as many as it had."""
    asked = GpuChoice.parse(config.gpus)
    choice = asked if asked.count is not None else GpuChoice.parse(settings.gpus)
    if before is None or choice.count == len(before.gpus):
        return choice
    return GpuChoice(count=len(before.gpus))


def require_cards(choice: GpuChoice) -> list[Card]:
    """The cards of this machine that a choice leaves to choose from, busy or free.

    Raises:
        GpuUnavailableError: There are fewer than it says.
    """
    if choice.count == 0:
        return []
    present = cards_here()
    found = choice.among(present)
    if choice.count is not None and len(found) < choice.count:
        raise GpuUnavailableError(
            f"{_asked(choice)} asked for, and {_listed(present)} on this machine.",
            hint=f"Ask for what is there, or for none: --gpus {NONE}. `mlab doctor` lists them.",
        )
    return found


def lease_cards(
    config: RunConfig,
    task: Task,
    settings: Settings,
    run_id: str,
    *,
    before: RunLock | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> CardLease:
    """Lease the cards of a run for as long as this process works it.

    Cards asked for by number or name are waited for. Where nothing is asked, a run takes one card if its task
    can use it and one is free.

    Args:
        config: The run.
        task: Its task.
        settings: This machine's.
        run_id: Told to others who wait for the card.
        before: The run's lock where it has begun: it goes on with as many cards as it began with.
        notice: Told what is waited for.

    Raises:
        GpuUnavailableError: There are fewer cards than asked for.
        GpuLeaseError: Nobody can tell which are free.
    """
    choice = choice_of(config, settings, before)
    if choice.count == 0 or (choice.count is None and not task.spec.gpus(config.variant)):
        return CardLease()
    cards, leases = require_cards(choice), CardLeases(settings.gpu_leases)
    if not cards:
        return CardLease()
    holder, shared = f"run {run_id}", config.share_gpus
    if choice.count is None:
        return leases.take(cards, 1, holder, shared=shared) or CardLease()
    is_noticed = False
    while (lease := leases.take(cards, choice.count, holder, shared=shared)) is None:
        if not is_noticed:
            held = "; ".join(f"GPU {index}: {who}" for index, who in leases.holders(cards).items())
            notice(f"waiting for {_asked(choice)}, in use: {held}")
            is_noticed = True
        time.sleep(WAIT_SECONDS)
    return lease


def _asked(choice: GpuChoice) -> str:
    return f"GPU {', '.join(choice.ids)}" if choice.ids else _count(choice.count or 0)


def _count(number: int) -> str:
    return f"{number} GPU{'' if number == 1 else 's'}"


def _listed(cards: list[Card]) -> str:
    listed = ", ".join(f"{card.index}: {card.model}" for card in cards)
    return f"{len(cards)} {'is' if len(cards) == 1 else 'are'} ({listed})" if cards else "none is"
