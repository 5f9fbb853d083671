"""Repeats the decisions of a recorded run, without a model."""

from __future__ import annotations

from agent.errors import RecordingEndedError
from agent.protocol import AgentContext, View
from agent.stateless import Stateless
from environment.records import Decision


class ReplayAgent(Stateless):
    """Makes recorded decision ``n`` at step ``n``; model calls are not charged again."""

    def __init__(self, context: AgentContext) -> None:
        self._recording = tuple(context.recording)

    def decide(self, view: View) -> Decision:
        """The recorded decision of this step.

        Raises:
            RecordingEndedError: The recording has no such step.
        """
        n = len(view.steps)
        if n >= len(self._recording):
            raise RecordingEndedError(
                f"The recording ends after {len(self._recording)} steps without a final answer",
                hint="Give the run a step budget of the recording's length, or record a run that ended",
            )
        return self._recording[n].model_copy(update={"calls": ()})
