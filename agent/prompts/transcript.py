"""Past steps as text for a prompt."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from agent.answers.fenced import in_blocks
from environment.actions.spec import ActionSpec
from environment.records import Decision, Step
from foundation.text import cut_middle

OBSERVATION_LIMIT = 5_000
"""Characters of an observation in the paper's prompts; a longer one is cut or summarised."""
WHOLE = 20_000
"""Characters of an observation in today's prompts: all that the environment shows of one."""


def transcript(
    steps: Sequence[Step],
    *,
    last: int | None = None,
    observed: Callable[[Step], str] | None = None,
    remarks: Mapping[str, str] | None = None,
    blocks: bool = False,
) -> str:
    """What was written and observed, oldest first.

    Args:
        steps: All steps.
        last: How many of the last ones to show; ``None`` shows all.
        observed: The observation's text in the prompt; by default its middle is cut where it is long.
        remarks: Remarks on what was written, by step number.
        blocks: Show arguments of several lines as fenced blocks.
    """
    shown = steps if last is None else steps[max(len(steps) - last, 0) :]
    parts = []
    for step in shown:
        remark = (remarks or {}).get(str(step.n))
        note = f"\n(Note on your answer: {remark})" if remark else ""
        parts.append(
            f"Step {step.n}:\n{written(step.decision, blocks=blocks)}\nObservation:\n{(observed or cut)(step)}{note}"
        )
    return "\n\n".join(parts)


def fitting(steps: Sequence[Step], characters: int, *, observed: Callable[[Step], str] | None = None) -> int:
    """How many of the last steps fit into so many characters of a prompt; at least the last one."""
    room = characters
    for count, step in enumerate(reversed(steps)):
        room -= len(written(step.decision)) + len((observed or whole)(step))
        if room < 0:
            return max(count, 1)
    return len(steps)


def cut(step: Step) -> str:
    """The observation, its middle left out where it is long."""
    return cut_middle(step.effect.observation.text, OBSERVATION_LIMIT)


def whole(step: Step) -> str:
    """The observation as the environment shows it."""
    return cut_middle(step.effect.observation.text, WHOLE)


def written(decision: Decision, *, blocks: bool = False) -> str:
    """A decision in the format of entries."""
    prose = "\n".join(f"{title(name)}: {text}" for name, text in decision.prose.items())
    args, below = in_blocks(decision.action.args) if blocks else (decision.action.args, "")
    action = f"Action: {decision.action.name}\nAction Input: {json.dumps(args, ensure_ascii=False)}{below}"
    return f"{prose}\n{action}" if prose else action


def title(key: str) -> str:
    """``research_plan_and_status`` -> ``Research Plan and Status``."""
    return " ".join(word if word == "and" else word.capitalize() for word in key.split("_"))


def described(actions: Sequence[ActionSpec]) -> str:
    """The actions on offer, for a prompt."""
    return "\n\n".join(_described(spec) for spec in actions)


_FENCE = "```"
BLOCKS = f"""Code, patches and other texts of several lines need not be escaped: leave their key out of the object, \
and put them below it in a fenced block under a line with the key. (A text with such fences of its own needs longer \
ones.) For example:

Action: Write File
Action Input: {{"file_name": "check.py"}}
content:
{_FENCE}python
print("as it is")
{_FENCE}"""
"""How today's prompts have long arguments written."""


def _described(spec: ActionSpec) -> str:
    arguments = ",\n".join(f'    "{name}": [{text}]' for name, text in spec.usage.items())
    given = f"{{\n{arguments}\n}}" if arguments else "{}"
    return f"- {spec.name}: {spec.description}\n  Action Input: {given}\n  Observation: {spec.returns}"
