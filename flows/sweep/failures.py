"""Why a run of a sweep has no result, and what that means for the sweep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from agent.errors import AgentFaultError
from agent.models.errors import RetryableError
from environment.errors import (
    RunBusyError,
    RunInterrupted,
    SandboxError,
    SandboxUnavailableError,
    SnapshotError,
    StoreError,
)
from evaluation.grading import GradingError
from flows.errors import JournalMismatchError, ServerError
from flows.limits import meaning_limit
from foundation.disk import FullDiskError, meaning_full
from foundation.errors import MlabError, sentence
from foundation.faults import with_place
from foundation.records import Record

_INFRASTRUCTURE: tuple[type[BaseException], ...] = (
    OSError,
    StoreError,
    FullDiskError,
    SandboxError,
    SnapshotError,
    RunBusyError,
    RunInterrupted,
    GradingError,
    RetryableError,
    ServerError,
    JournalMismatchError,
)
_AGENT: tuple[type[BaseException], ...] = (AgentFaultError,)
_SETUP: tuple[type[BaseException], ...] = (SandboxUnavailableError,)
_INFRASTRUCTURE_LIBRARIES = frozenset({"prefect", "httpx", "httpcore", "sqlalchemy", "mlflow", "docker", "requests"})
_STATE_MESSAGE = re.compile(r"encountered an exception: (?P<name>\w+)")


class FailureKind(StrEnum):
    """Who has to do something about it."""

    INFRASTRUCTURE = "infrastructure"  # nobody at first: it is tried again
    SETUP = "setup"  # a person: a key, a task or an agent is missing or wrong
    AGENT = "agent"  # nobody: it belongs to the agent's result, and is never tried again


class Failure(Record):
    """A run that ended without a result."""

    kind: FailureKind
    message: str


def failure_of(error: BaseException) -> Failure:
    """Sort an error by its type; one that only says where to go on, by what caused it."""
    if isinstance(error, RunInterrupted) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, OSError):
        error = meaning_full(error) or meaning_limit(error) or error
    if not isinstance(error, Exception):
        return Failure(kind=FailureKind.INFRASTRUCTURE, message="stopped before its end")
    text = error.sentence if isinstance(error, MlabError) else with_place(error)
    return Failure(kind=_kind(type(error)), message=text)


def failure_of_state(name: str, message: str) -> Failure:
    """Sort the final state of a Prefect flow run, which keeps no more of an error than its name and text."""
    import httpx  # noqa: F401 - a name is known where its library is loaded

    if name == "Cancelled":
        return Failure(kind=FailureKind.SETUP, message=f"cancelled: {message}")
    said = _STATE_MESSAGE.search(message)
    if name != "Failed" or said is None:
        return Failure(kind=FailureKind.INFRASTRUCTURE, message=f"{name}: {message}")
    kinds = {known.__name__: kind for known in _family(Exception) if (kind := _kind(known)) is not FailureKind.AGENT}
    return Failure(kind=kinds.get(said["name"], FailureKind.AGENT), message=sentence(*message.splitlines()))


def _kind(error: type[BaseException]) -> FailureKind:
    if issubclass(error, _AGENT):
        return FailureKind.AGENT
    if issubclass(error, _SETUP):
        return FailureKind.SETUP
    if issubclass(error, _INFRASTRUCTURE) or error.__module__.partition(".")[0] in _INFRASTRUCTURE_LIBRARIES:
        return FailureKind.INFRASTRUCTURE
    return FailureKind.SETUP if issubclass(error, MlabError) else FailureKind.AGENT


def _family(root: type[BaseException]) -> Iterator[type[BaseException]]:
    yield root
    for below in root.__subclasses__():
        yield from _family(below)
