"""Who broke a run off: the agent, or the harness and the provider of its model, whose faults count in no rate."""

from __future__ import annotations

import pytest

from environment.records import EndedBy, RunStatus
from evaluation.importers.ending import broken_off


@pytest.mark.parametrize(
    "error",
    [
        "RateLimitError: Error code: 429 - too many tokens per minute, retry later",
        "Error code: 529 - overloaded_error",
        "stream disconnected before completion: Connection refused",
        "AuthenticationError: invalid api key",
        "RuntimeError: Event loop is closed",
        "exit_environment_error",
        "EnvironmentStartTimeoutError: after 600 s",
        "RetryError[<Future at 0x7f state=finished raised APIError>]",
        "no more information",
    ],
)
def test_what_harness_and_provider_broke_on_counts_in_no_rate(error: str) -> None:
    assert broken_off(error) == {"status": RunStatus.INFRASTRUCTURE, "ended_by": EndedBy.ERROR, "error": error}


@pytest.mark.parametrize(
    "error",
    ["AgentStuckInLoopError", "exit_forfeit", "RepeatedFormatError", "FunctionCallValidationError: no such argument"],
)
def test_what_a_harness_gives_up_on_is_the_agent_s_failure(error: str) -> None:
    assert broken_off(error)["status"] is RunStatus.FAILED


@pytest.mark.parametrize("error", ["Prompt is too long", "litellm.ContextWindowExceededError: 200001 > 200000"])
def test_a_full_context_is_a_limit(error: str) -> None:
    ended = broken_off(error)
    assert (ended["status"], ended["ended_by"]) == (RunStatus.COMPLETED, EndedBy.TOKENS)
