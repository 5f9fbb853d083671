"""Which actions an agent is offered, and in what words they answer."""

from __future__ import annotations

from collections.abc import Set

from foundation.records import Record

_PAPER_OFFERED = (
    "List Files",
    "Copy File",
    "Undo Edit Script",
    "Execute Script",
    "Inspect Script Lines",
    "Request Help",
    "Final Answer",
)
_PAPER_HIDDEN = ("Read File", "Write File", "Append File", "Python REPL", "Edit Script", "Run Command Line")


class Profile(Record):
    """A choice of actions and words.

    Attributes:
        name: ``default`` or ``paper``.
        offered: Actions the agent is told of; ``None`` offers all but the hidden ones.
        hidden: Actions carried out when named, of which the agent is not told.
        observation_limit: Characters an observation may have before its middle is cut.
        inspect_limit: Largest distance between the first and the last line shown at once.
        error_prefix: Stands before what was refused or failed.
        executed: Stands before a script's output; ``None`` states how the script ended.
        final: The observation of Final Answer.
    """

    name: str
    offered: tuple[str, ...] | None = None
    hidden: tuple[str, ...] = ()
    observation_limit: int
    inspect_limit: int
    error_prefix: str = ""
    executed: str | None = None
    final: str

    def offers(self, action: str) -> bool:
        """Whether the agent is told of an action."""
        return action not in self.hidden if self.offered is None else action in self.offered

    def allows(self, action: str) -> bool:
        """Whether an action is carried out when named."""
        return self.offers(action) or action in self.hidden

    def choose(self, actions: Set[str]) -> list[str]:
        """Of some actions, those the agent is told of."""
        return [action for action in actions if self.offers(action)]


DEFAULT = Profile(
    name="default",
    hidden=("Edit Script", "Run Command Line"),
    observation_limit=16_000,
    inspect_limit=500,
    final="The final answer is submitted; the workspace will now be graded as it is.",
)
"""Every action, observations that fit a model's context, and errors that say how a script ended."""

PAPER = Profile(
    name="paper",
    offered=_PAPER_OFFERED,
    hidden=_PAPER_HIDDEN,
    observation_limit=100_000,
    inspect_limit=100,
    error_prefix="EnvError: ",
    executed="The script has been executed. Here is the output:",
    final="end",
)
"""The published benchmark's visible set, limits and wording. Its observations had no limit at all; here
what no context window holds is cut."""

PROFILES = {profile.name: profile for profile in (DEFAULT, PAPER)}
