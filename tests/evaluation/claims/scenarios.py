"""What made-up runs are built of, and sentences about them with the verdict a reader would give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from environment.records import Action
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.record.log import Exchange, LogStep, RunLog

DIFF = (
    "The edited file is saved to {file}. Here is the diff, please check if the edit is correct and desirable:\n\n{diff}"
)


def run(script: str, output: str) -> Exchange:
    return Exchange(
        action=Action(name="Execute Script", args={"script_name": script}),
        observation=f"The script has been executed. Here is the output:\n{output}",
    )


def edit(file: str, diff: str, save: str | None = None) -> Exchange:
    return Exchange(
        action=Action(
            name="Edit Script (AI)", args={"script_name": file, "edit_instruction": "", "save_name": save or file}
        ),
        observation=DIFF.format(file=save or file, diff=diff),
    )


def shell(command: str, output: str = "") -> Exchange:
    return Exchange(action=Action(name=command.split()[0], args={"command": command}), observation=output)


def other(name: str, observation: str, **args: str) -> Exchange:
    return Exchange(action=Action(name=name, args=dict(args)), observation=observation)


def log(*exchanges: Exchange, prose: str = "", field: str = "thought", task_text: str = "") -> RunLog:
    """A run of these actions, then a last step that only writes."""
    steps = [LogStep(exchanges=(exchange,)) for exchange in exchanges]
    return RunLog(source="made-up", task_text=task_text, steps=(*steps, LogStep(prose={field: prose})))


def verdicts(shown: Iterable[Exchange], prose: str) -> list[Verdict]:
    """What rules say, claim by claim, of a last message about these actions."""
    return [claim.verdict for claim in audit(log(*shown, prose=prose, field="response"))]


@dataclass(frozen=True)
class Scenario:
    """A record, and sentences with (kind, verdict); ``None`` where the sentence claims nothing."""

    name: str
    exchanges: tuple[Exchange, ...]
    sentences: dict[str, tuple[str, str] | None] = field(default_factory=dict)
