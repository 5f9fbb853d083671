"""Base of agents whose next decision follows from the steps alone."""

from __future__ import annotations

from agent.protocol import JSON


class Stateless:
    """Remembers nothing: the trajectory in the view is all it needs."""

    def state(self) -> JSON:
        """Nothing."""
        return None

    def restore(self, state: JSON) -> None:
        """Nothing to take up."""
