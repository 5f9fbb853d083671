"""Something done."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Assertion, Given, Ids
from evaluation.language.quantity import Quantity


class Doing(StrEnum):
    """What kind of doing it is; each is shown by other kinds of events."""

    CHANGED = "changed"  # code or settings were written, added, removed, replaced
    RAN = "ran"  # something was executed, trained, evaluated, computed, plotted, printed, tested
    SAVED = "saved"  # a file was written by a script or by the agent
    READ = "read"  # something was looked at
    INSTALLED = "installed"
    SUBMITTED = "submitted"
    UNDONE = "undone"


class Deed(Assertion):
    """Something was done: "I added dropout", "trained for 10 epochs", "saved the model to model.pt"."""

    kind: ClassVar[Kind] = Kind.EXECUTION
    type: Literal["deed"] = "deed"
    doing: Doing = Field(
        description="changed: code was written; ran: it was also carried out (trained, computed, plotted, tested)"
    )
    events: Ids = Field(
        default=(),
        description="events that did exactly this or tried to; none where the ledger shows no such event, or shows "
        "that it did something else",
    )
    instead: Ids = Field(
        default=(), description="events that show the contrary: that another value was set, that it was left out"
    )
    is_denied: bool = Field(default=False, description="the text says that it was not done")
    new: Given = Field(default=None, description="the number that was set, where one is named")

    @property
    def quantity(self) -> Quantity | None:
        """The number set."""
        return self.new
