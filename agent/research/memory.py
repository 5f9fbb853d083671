"""What the research agent remembers: its log, and short forms of long observations."""

from __future__ import annotations

from collections.abc import Mapping

from agent.models.calls import ModelSession
from agent.prompts.digest import digest
from agent.prompts.transcript import OBSERVATION_LIMIT, WHOLE, written
from agent.protocol import View
from agent.research.settings import ResearchSettings
from agent.skills.base import SkillContext
from agent.skills.thinking import recall
from environment.records import Step
from foundation.records import Record


class MemoryState(Record):
    """The memory as it is kept in a checkpoint.

    Attributes:
        learned: How many steps have been taken in.
        log: Entries of the Research Log.
        short: Summaries of long observations, by step number.
        remarks: What the parser did not use of an answer, by step number.
    """

    learned: int = 0
    log: tuple[str, ...] = ()
    short: Mapping[str, str] = {}
    remarks: Mapping[str, str] = {}


class Memory:
    """Takes in one step after the other, through model calls that use up no step."""

    def __init__(self, settings: ResearchSettings) -> None:
        self._settings = settings
        self.restore(MemoryState())

    def restore(self, state: MemoryState) -> None:
        """Take up what ``state`` returned."""
        self._learned = state.learned
        self.log = list(state.log)
        self._short = dict(state.short)
        self.remarks = dict(state.remarks)

    def state(self) -> MemoryState:
        """All of it."""
        return MemoryState(learned=self._learned, log=tuple(self.log), short=self._short, remarks=self.remarks)

    def learn(self, view: View, session: ModelSession) -> None:
        """Take in the last step: summarise its observation where it is long, and note it in the log."""
        if not view.steps or self._learned == len(view.steps):
            return
        step = view.steps[-1]
        if len(step.effect.observation.text) > (WHOLE if self._settings.is_todays else OBSERVATION_LIMIT):
            self._short[str(step.n)] = self._shortened(step, session)
        if self._settings.log:
            self.log.append(f"[Step {step.n}]\n{self._noted(step, session)}")
        self._learned = len(view.steps)

    def recall(self, view: View, session: ModelSession) -> str:
        """What the log says that matters now; nothing while the last steps tell everything."""
        if not self._settings.log or len(view.steps) <= self._settings.shown(view.steps, self.observed):
            return ""
        plan = view.steps[-1].decision.prose.get("research_plan_and_status", "")
        return recall(SkillContext(view, session, self.log), plan)

    def observed(self, step: Step) -> str:
        """A step's observation as it stands in prompts."""
        short = self._short.get(str(step.n))
        return step.effect.observation.text if short is None else f"(summary of a long observation)\n{short}"

    def remark(self, step: int, notes: tuple[str, ...]) -> None:
        """Keep what to tell the model about its answer."""
        if notes:
            self.remarks[str(step)] = "; ".join(notes)

    def _shortened(self, step: Step, session: ModelSession) -> str:
        task = (
            f"A researcher did this:\n{written(step.decision)}\n\nThe observation that came back is long. "
            "Summarise it: keep every measured value, error message and file name exactly as written, and say how it "
            "ended."
        )
        return digest(session, step.effect.observation.text, task, most=self._settings.summary_blocks)

    def _noted(self, step: Step, session: ModelSession) -> str:
        return session.text(
            "fast",
            f"This is one step of a research project:\n{written(step.decision)}\n"
            f"Observation:\n{self.observed(step)}\n\n"
            "Note it for the log in three lines:\n[Reasoning]: why it was done\n[Action]: what was done, with all "
            "settings that matter\n[Observation]: what came of it, with numbers exactly as written, or that it failed",
        )
