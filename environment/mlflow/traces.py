"""The steps of a run as MLflow traces: what the agent wrote, its model calls, and the verdicts on its claims.

They are rebuilt from the journal and the claims table, under ids that follow from run and step: writing
them again adds nothing.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import JsonValue

from environment.journal.tables import Row
from environment.records import ModelCall, Outcome, Step

if TYPE_CHECKING:
    from mlflow.tracing.client import TracingClient

CLAIM = "mlab.claim"
"""In the metadata of a verdict: which claim of the step it is on."""

_PREVIEW = 1_000
_NANOSECONDS = 1_000_000_000


class StepTraces:
    """Traces of one benchmark run.

    Args:
        uri: MLflow store or server.
        experiment: Id of the run's experiment.
        mlflow_run: Id of the run in MLflow, which the traces belong to.
        run_id: Our id of the run, which is the traces' session.
    """

    def __init__(self, uri: str, experiment: str, mlflow_run: str, run_id: str) -> None:
        from mlflow.tracing.client import TracingClient

        self._client: TracingClient = TracingClient(uri)
        self._experiment = experiment
        self._mlflow_run = mlflow_run
        self._run_id = run_id

    def log(self, steps: Sequence[Step], claims: Iterable[Row], recorded: Mapping[int, Sequence[JsonValue]]) -> None:
        """Write a trace for each step in which the agent wrote something, and the verdicts on what it claimed.

        Args:
            steps: The trajectory.
            claims: Rows of the claims table.
            recorded: Prompt and answer of each model call, by step (``RecordedCalls.by_step``).
        """
        by_step: defaultdict[int, list[Row]] = defaultdict(list)
        for claim in claims:
            by_step[int(str(claim["step"]))].append(claim)
        for step in steps:
            if step.decision.prose or step.calls:
                known = self._known(step.n)
                if known is None:
                    self._log_step(step, recorded.get(step.n, ()))
                self._log_verdicts(step, by_step[step.n], known or {})

    def trace_id(self, n: int) -> str:
        """The id of step ``n``'s trace."""
        return f"tr-{self._digest(n)[:32]}"

    def _digest(self, n: int, part: str = "") -> str:
        return hashlib.sha256(f"{self._run_id}.{n}.{part}".encode()).hexdigest()

    def _known(self, n: int) -> Collection[str] | None:
        """The verdicts on step ``n`` that MLflow has; ``None`` where it has no trace of it."""
        from mlflow.exceptions import MlflowException

        try:
            info = self._client.get_trace_info(self.trace_id(n))
        except MlflowException:
            return None
        return {found.metadata.get(CLAIM, "") for found in info.assessments if found.metadata}

    def _log_step(self, step: Step, recorded: Sequence[JsonValue]) -> None:
        from mlflow.entities import Span, TraceInfo, TraceLocation, TraceState

        decision, observation = step.decision, step.effect.observation
        failed = observation.outcome in (Outcome.FAILED, Outcome.KILLED)
        seconds = sum(call.seconds for call in step.calls) + step.effect.seconds
        self._client.start_trace(
            TraceInfo(
                trace_id=self.trace_id(step.n),
                trace_location=TraceLocation.from_experiment_id(self._experiment),
                request_time=_nanoseconds(step.started) // 1_000_000,
                execution_duration=round(seconds * 1_000),
                state=TraceState.ERROR if failed else TraceState.OK,
                request_preview=f"{decision.action.name} {json.dumps(decision.action.args)}"[:_PREVIEW],
                response_preview=observation.text[:_PREVIEW],
                trace_metadata={"mlflow.sourceRun": self._mlflow_run, "mlflow.trace.session": self._run_id},
                tags={"mlflow.traceName": f"step {step.n:02d}", "mlab.run_id": self._run_id, "mlab.step": str(step.n)},
            )
        )
        spans = [Span.from_dict(span) for span in self._spans(step, recorded)]
        self._client.log_spans(self._experiment, spans)

    def _spans(self, step: Step, recorded: Sequence[JsonValue]) -> list[dict[str, JsonValue]]:
        """The step itself, each model call, and the action, one after the other."""
        decision = step.decision
        at = _nanoseconds(step.started)
        spans: list[dict[str, JsonValue]] = []
        for n, call in enumerate(step.calls):
            usage = {"input_tokens": call.prompt_tokens, "output_tokens": call.completion_tokens}
            usage["total_tokens"] = sum(usage.values())
            attributes: dict[str, JsonValue] = {"mlflow.spanType": "CHAT_MODEL", "mlflow.chat.tokenUsage": {**usage}}
            if call.cost is not None:
                attributes["mlflow.llm.cost"] = {"total_cost": call.cost}
            attributes |= _said(call, recorded)
            spans.append(self._span(step, f"{call.role} · {call.model}", f"call {n}", at, call.seconds, attributes))
            at += round(call.seconds * _NANOSECONDS)
        action: dict[str, JsonValue] = {
            "mlflow.spanType": "TOOL",
            "mlflow.spanInputs": {**decision.effective.args},
            "mlflow.spanOutputs": step.effect.observation.text,
        }
        spans.append(self._span(step, decision.effective.name, "action", at, step.effect.seconds, action))
        whole: dict[str, JsonValue] = {
            "mlflow.spanType": "AGENT",
            "mlflow.spanInputs": {"action": decision.action.name, **decision.action.args},
            "mlflow.spanOutputs": {**decision.prose},
        }
        seconds = (at - _nanoseconds(step.started)) / _NANOSECONDS + step.effect.seconds
        return [self._span(step, f"step {step.n:02d}", "", _nanoseconds(step.started), seconds, whole), *spans]

    def _span(
        self, step: Step, name: str, part: str, start: int, seconds: float, attributes: Mapping[str, JsonValue]
    ) -> dict[str, JsonValue]:
        """A span in MLflow's own JSON; the part "" is the root."""
        marked = {"mlflow.traceRequestId": self.trace_id(step.n), **attributes}
        return {
            "trace_id": _encoded(self._digest(step.n)[:32]),
            "span_id": _encoded(self._digest(step.n, part)[-16:]),
            "parent_span_id": _encoded(self._digest(step.n)[-16:]) if part else "",
            "name": name,
            "start_time_unix_nano": start,
            "end_time_unix_nano": start + round(seconds * _NANOSECONDS),
            "attributes": {key: json.dumps(value) for key, value in marked.items()},
            "status": {"code": "STATUS_CODE_OK", "message": ""},
            "events": [],
        }

    def _log_verdicts(self, step: Step, claims: Sequence[Row], known: Collection[str]) -> None:
        from mlflow.entities import AssessmentSource, Feedback

        for n, claim in enumerate(claims):
            key = f"{claim['field']}.{n}"
            if key in known:
                continue
            reason = [f"“{claim['quote']}”", claim["note"], claim["evidence"] and f"evidence: {claim['evidence']}"]
            feedback = Feedback(
                name=f"claim: {claim['kind']}",
                value=str(claim["verdict"]),
                rationale="\n".join(str(part) for part in reason if part),
                source=AssessmentSource(source_type="CODE", source_id="mlab"),
                metadata={CLAIM: key, "mlab.training_run": str(claim["training_run"] or "")},
            )
            self._client.log_assessment(self.trace_id(step.n), feedback)


def _said(call: ModelCall, recorded: Sequence[JsonValue]) -> dict[str, JsonValue]:
    """Prompt and answer of a call, where its record holds them."""
    used = call.model_dump(mode="json")
    for record in recorded:
        if isinstance(record, dict) and record.get("call") == used:
            return {"mlflow.spanInputs": record.get("prompt"), "mlflow.spanOutputs": record.get("message")}
    return {}


def _encoded(digits: str) -> str:
    return b64encode(bytes.fromhex(digits)).decode()


def _nanoseconds(time: datetime) -> int:
    return round(time.timestamp() * 1_000_000) * 1_000
