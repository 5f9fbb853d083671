"""One MLflow trace span a model call; a run goes on all the same without MLflow."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

from environment.records import ModelCall

_log = logging.getLogger(__name__)


def trace_call(call: ModelCall, prompt: Mapping[str, Any], answer: Mapping[str, Any], started_ns: int) -> None:
    """Write a finished call as a span, under the span and run that are active.

    Args:
        call: What it used.
        prompt: Its messages, without secrets.
        answer: The answer, without secrets.
        started_ns: When it began, in nanoseconds since the epoch.
    """
    if not _is_tracing():
        return
    import mlflow
    from mlflow.exceptions import MlflowException

    try:
        span = mlflow.start_span_no_context(
            name=f"{call.role} model",
            span_type="CHAT_MODEL",
            parent_span=mlflow.get_current_active_span(),
            inputs=dict(prompt),
            attributes=_attributes(call),
            start_time_ns=started_ns,
        )
        span.end(outputs=dict(answer))
    except (MlflowException, OSError) as error:
        _log.warning("the trace of a model call was not written: %s", error)


def _attributes(call: ModelCall) -> dict[str, Any]:
    usage = {
        "input_tokens": call.prompt_tokens,
        "output_tokens": call.completion_tokens,
        "total_tokens": call.prompt_tokens + call.completion_tokens,
        "cache_read_input_tokens": call.cached_tokens,
    }
    known = {} if call.cost is None else {"mlflow.llm.cost": {"total_cost": call.cost}}
    return {"mlflow.chat.tokenUsage": usage, "mlflow.llm.model": call.model, **known, "call": call.model_dump()}


def _is_tracing() -> bool:
    """Whether somebody has said where traces go; MLflow is not loaded only to ask."""
    if "mlflow" not in sys.modules and "MLFLOW_TRACKING_URI" not in os.environ:
        return False
    from mlflow.tracking import is_tracking_uri_set

    return bool(is_tracking_uri_set())  # type: ignore[no-untyped-call]
