"""Errors of the environment. What an agent does wrong is an observation, not an error."""

from __future__ import annotations

from foundation.errors import MlabError


class RoomError(MlabError):
    """Base of all errors of this room."""


class SandboxError(RoomError):
    """The sandbox itself failed: an infrastructure error, not the script's."""


class SandboxUnavailableError(SandboxError):
    """No sandbox of the kind asked for works on this machine."""


class GpuUnavailableError(RoomError):
    """The cards that were asked for are not on this machine."""


class GpuLeaseError(RoomError):
    """Nobody can tell who uses which card: the locks cannot be kept."""


class StoreError(RoomError):
    """The store cannot be read or written."""


class UnknownStoreError(StoreError):
    """What names the store is no place that this machine can use: no folder that can be made, or no known URL."""


class NotInStoreError(StoreError):
    """No such object or run."""


class CorruptObjectError(StoreError):
    """An object's content does not match its digest or schema."""


class RunNotFoundError(NotInStoreError):
    """No run of that id in the store."""


class CopiedRunError(RunNotFoundError):
    """The folder is a copy of another run's: it counts as no run."""


class JournalError(StoreError):
    """An entry of the journal would come before one it depends on."""


class SnapshotError(RoomError):
    """A workspace cannot be saved, or put back as it was."""


class RunBusyError(RoomError):
    """Another process works the run."""


class ActionError(RoomError):
    """An action cannot be carried out; its message is the observation the agent gets."""


class RefusedActionError(ActionError):
    """The action is malformed or not allowed."""


class ForbiddenActionError(RefusedActionError):
    """The action reached for what the agent may not have; it is refused and goes on record."""


class RunInterrupted(RoomError):
    """The run was stopped from outside and can be resumed from its last commit."""
