"""Past steps as text for a prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from environment.actions.spec import ActionSpec
from environment.records import Decision, Step
from foundation.text import cut_middle

OBSERVATION_LIMIT = 5_000
"""Characters of an observation in a prompt, the paper's limit; a longer one is cut or summarised."""


def transcript(
    steps: Sequence[Step],
    *,
    last: int | None = None,
    observed: Callable[[Step], str] | None = None,
    remarks: Mapping[str, str] | None = None,
) -> str:
    """What was written and observed, oldest first.

    Args:
        steps: All steps.
        last: How many of the last ones to show; ``None`` shows all.
        observed: The observation's text in the prompt; by default its middle is cut where it is long.
        remarks: Remarks on what was written, by step number.
    """
    shown = steps if last is None else steps[max(len(steps) - last, 0) :]
    parts = []
    for step in shown:
        remark = (remarks or {}).get(str(step.n))
        note = f"\n(Note on your answer: {remark})" if remark else ""
        parts.append(f"Step {step.n}:\n{written(step.decision)}\nObservation:\n{(observed or cut)(step)}{note}")
    return "\n\n".join(parts)


def cut(step: Step) -> str:
    """The observation, its middle left out where it is long."""
    return cut_middle(step.effect.observation.text, OBSERVATION_LIMIT)


def written(decision: Decision) -> str:
    """A decision in the format of entries."""
    prose = "\n".join(f"{title(name)}: {text}" for name, text in decision.prose.items())
    action = f"Action: {decision.action.name}\nAction Input: {json.dumps(decision.action.args, ensure_ascii=False)}"
    return f"{prose}\n{action}" if prose else action


def title(key: str) -> str:
    """``research_plan_and_status`` -> ``Research Plan and Status``."""
    return " ".join(word if word == "and" else word.capitalize() for word in key.split("_"))


def described(actions: Sequence[ActionSpec]) -> str:
    """The actions on offer, for a prompt."""
    return "\n\n".join(_described(spec) for spec in actions)


def _described(spec: ActionSpec) -> str:
    arguments = ",\n".join(f'    "{name}": [{text}]' for name, text in spec.usage.items())
    given = f"{{\n{arguments}\n}}" if arguments else "{}"
    return f"- {spec.name}: {spec.description}\n  Action Input: {given}\n  Observation: {spec.returns}"
