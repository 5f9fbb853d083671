"""What earlier runs showed: changes to a starter, with what they did to the validation metric."""

from __future__ import annotations

from statistics import fmean, stdev

from pydantic import Field

from foundation.records import Record
from foundation.storable import Text
from tasks_catalog.library.spec import Direction


class Lesson(Record):
    """One change to a task's starter, and what came of it in every run that tried it."""

    task: Text
    data: str = Field(description="digest of the data, hidden side included")
    data_of: Text = Field(description="the task whose data it is, in any variant")
    metric: Text
    direction: Direction
    goal: Text = Field(default="", description="the beginning of the task's instruction")
    change: Text = Field(description="unified diff against the starter; a long one is cut")
    settings: dict[Text, Text] = Field(default_factory=dict, description="constants it sets, as written")
    gains: tuple[float, ...] = Field(
        default=(), description="relative improvement of the validation metric over the run's own first measurement"
    )
    failures: tuple[Text, ...] = Field(default=(), description="how the script ended where it failed")
    runs: tuple[str, ...] = Field(description="training runs it is known from")

    @property
    def gain(self) -> float | None:
        """The mean gain, or ``None`` where nothing was measured."""
        return fmean(self.gains) if self.gains else None

    @property
    def scatter(self) -> float | None:
        """Standard deviation of the gain over runs, from two runs on."""
        return stdev(self.gains) if len(self.gains) > 1 else None


class Summary(Record):
    """What a model says of the lessons on one task's data: its own words, and no measurement."""

    data_of: Text = Field(description="the task whose data the lessons are from, in any variant")
    text: Text
    model: Text


class Experience(Record):
    """A knowledge base: lessons under a name, and what a model says of them where one was asked."""

    name: Text
    lessons: tuple[Lesson, ...] = ()
    summaries: tuple[Summary, ...] = ()

    def besides(self, data: str, data_of: str) -> Experience:
        """What may be known in a run on this data: nothing from runs that were graded on the same hidden side.

        A summary goes with any lesson that goes.

        Args:
            data: Its digest.
            data_of: The task whose data it is; its other variants may share rows with it.
        """
        kept = tuple(one for one in self.lessons if one.data != data and one.data_of != data_of)
        touched = {data_of, *(one.data_of for one in self.lessons if one not in kept)}
        summaries = tuple(one for one in self.summaries if one.data_of not in touched)
        return self.model_copy(update={"lessons": kept, "summaries": summaries})
