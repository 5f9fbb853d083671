"""Errors of this room."""

from __future__ import annotations

from environment.records import Action, Decision, ModelCall
from foundation.errors import MlabError


class AgentError(MlabError):
    """An agent cannot be made, or cannot go on."""


class AgentNotFoundError(AgentError):
    """No agent of that name, entry point or import path, or what lies there is none."""


class AgentSettingsError(AgentError):
    """A setting is unknown to the agent or has a wrong value."""


class AgentFaultError(AgentError):
    """A mistake in an agent's own code while it ran: it is the agent's result, as any exception of that code is."""


class RecordingEndedError(AgentError):
    """The replay agent was asked for more decisions than were recorded."""


class SkillError(AgentError):
    """A composite skill could not do what it was asked for; the message is what the agent sees."""


class GaveUpError(AgentError):
    """The agent cannot go on (no valid answer after all repairs, a prompt too long); the run ends and is graded.

    Raised out of ``decide``; what was written and paid on the way is kept.
    """

    def __init__(self, message: str, *, prose: dict[str, str] | None = None, calls: tuple[ModelCall, ...] = ()) -> None:
        super().__init__(message)
        self.prose = prose or {}
        self.calls = calls

    def decision(self) -> Decision:
        """The decision that ends the run."""
        return Decision(prose=self.prose, action=Action(name="Give Up"), calls=self.calls, gave_up=self.message)
