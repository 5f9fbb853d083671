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


class SpendLimitError(FlowError):
    """A command has spent on models what it may."""
