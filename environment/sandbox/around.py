"""What a sandbox around another has in common with it."""

from __future__ import annotations

from environment.gpus.card import Card
from environment.records import HeldBy
from environment.sandbox.base import Sandbox


class AroundSandbox:
    """A sandbox that hands its commands on to another, changed.

    Args:
        sandbox: Where commands run.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def name(self) -> str:
        """See ``Sandbox.name``."""
        return self._sandbox.name

    @property
    def cards(self) -> tuple[Card, ...]:
        """See ``Sandbox.cards``."""
        return self._sandbox.cards

    @property
    def held_by(self) -> HeldBy:
        """See ``Sandbox.held_by``."""
        return self._sandbox.held_by
