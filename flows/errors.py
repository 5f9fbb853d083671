"""Errors of the flows and the command line."""

from __future__ import annotations

from foundation.errors import MlabError


class FlowError(MlabError):
    """Base of all errors of this room."""


class ServerError(FlowError):
    """The Prefect server cannot be started or reached."""


class JournalMismatchError(FlowError):
    """Prefect says a step is done and the journal does not know it."""


class UsageError(FlowError):
    """The command was called with something it cannot use."""


class LockMismatchError(FlowError):
    """A run is resumed under conditions that its result would not be comparable with."""


class UnknownPriceError(UsageError):
    """Money is to be limited that is spent on a model whose price nobody knows."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"{model} has no known price, so that no limit on money can be held.",
            hint="Tell it in a file that MLAB_PRICES or --set model.prices=FILE names, or leave the limit out.",
        )


class SpendLimitError(FlowError):
    """A command has spent on models what it may."""
