"""Runs as they come out of the store, made up from a seed: several agents, tasks, verdicts and failures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from environment.records import (
    Action,
    BestStep,
    Checkpoint,
    Decision,
    Effect,
    EndedBy,
    MetricPoint,
    ModelCall,
    Observation,
    Outcome,
    RunConfig,
    RunResult,
    RunStatus,
    Spent,
    Step,
    StepGrade,
    TrainingRun,
    Usage,
)
from evaluation.claims.claim import Claim, Kind, Verdict
from evaluation.competence import success_at
from evaluation.language.quantity import Unit
from evaluation.process.failures import Failure
from evaluation.process.judge import Judgement, Rubric
from evaluation.report.changes import FileChange
from evaluation.report.model import ReportRun
from tasks_catalog.library.spec import Direction, Variant

START = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
AGENTS = (("research", "openai:large", 0.6), ("research", "openai:small", 0.35), ("tuner", None, 0.45))
TASKS = (
    ("cifar10", "accuracy", Direction.MAXIMIZE, 0.52, 0.8),
    ("house-price", "mae", Direction.MINIMIZE, 24_000.0, 15_000.0),
    ("vectorization", "seconds", Direction.MINIMIZE, 3.9, 0.06),
)
DIFF = """--- a/train.py
+++ b/train.py
@@ -12,3 +12,4 @@
 model = make_model()
-optimizer = SGD(model.parameters(), lr=0.1)
+optimizer = AdamW(model.parameters(), lr=3e-4)
+scheduler = CosineAnnealingLR(optimizer, 10)
 train(model)
"""


def sample_run(index: int = 0, *, steps: int = 8, variant: Variant = Variant.MINI, text: str = "") -> ReportRun:
    """One run; ``text`` is planted in everything that an agent can write."""
    rng = random.Random(index)
    agent, model, skill = AGENTS[index % len(AGENTS)]
    task, metric, direction, baseline, reference = TASKS[(index // len(AGENTS)) % len(TASKS)]
    seed = index // (len(AGENTS) * len(TASKS))
    run_id = f"{task}-{agent}-{index:05d}"
    gain = rng.gauss(skill, 0.3)
    trajectory = tuple(_step(rng, run_id, n, steps, metric, baseline, reference, gain, text) for n in range(steps))
    valid = rng.random() > 0.1
    score = baseline + gain * (reference - baseline) if valid else None
    sign = 1 if direction is Direction.MAXIMIZE else -1
    improvement = None if score is None else sign * (score - baseline) / baseline
    claims = tuple(_claims(rng, run_id, trajectory, metric))
    return ReportRun(
        result=RunResult(
            run_id=run_id,
            task=task,
            variant=variant,
            agent=agent,
            model=model,
            seed=seed,
            status=RunStatus.COMPLETED,
            ended_by=EndedBy.FINAL_ANSWER if valid else EndedBy.STEPS,
            steps=steps,
            training_runs=sum(step.effect.training_run is not None for step in trajectory),
            score=score,
            metric=metric,
            direction=direction,
            baseline=baseline,
            reference=reference,
            improvement=improvement,
            normalised=None if score is None else gain,
            success=improvement is not None and improvement > 0.1,
            success_beyond_noise=improvement is not None and improvement > 0.12,
            noise_threshold=0.12,
            success_at=success_at(improvement),
            best=_best(steps, score, improvement),
            claims={verdict: sum(claim.verdict == verdict for claim in claims) for verdict in Verdict},
            tokens=0 if model is None else 4_000 * steps,
            cost=0.0 if model is None else 0.02 * steps * (4 if model.endswith("large") else 1),
            seconds=40.0 * steps * rng.uniform(0.7, 1.4),
            usage=Usage.of(trajectory),
            sandbox="bubblewrap",
            invalid_submission=None if valid else "submission.csv is missing",
            integrity=(f"read of a private file: {text}",) if text else (),
        ),
        config=RunConfig(task=task, agent=agent, model=model, variant=variant, seed=seed),
        steps=trajectory,
        claims=claims,
        failures=_failures(rng, valid, text),
        grades=tuple(_grades(steps, baseline, score, improvement)),
        judgement=_judgement(rng, text) if index % 2 == 0 else None,
        changes={
            step.n: (FileChange(path="train.py", kind="changed", diff=DIFF + text),)
            for step in trajectory
            if step.effect.training_run is None
        },
    )


def sample_runs(count: int, *, steps: int = 8, variant: Variant = Variant.MINI) -> Iterator[ReportRun]:
    """Runs one after the other, never all in memory."""
    return (sample_run(index, steps=steps, variant=variant) for index in range(count))


def _grades(steps: int, baseline: float, score: float | None, improvement: float | None) -> Iterator[StepGrade]:
    """Half of the steps at the baseline, then one at twice the gain, then the final score."""
    for n in range(steps):
        if score is None or improvement is None:
            yield StepGrade(step=n, graded_at=0, invalid="submission.csv is missing")
            continue
        part = 0 if n < steps // 2 else 2 if n == steps // 2 else 1
        yield StepGrade(step=n, graded_at=n, score=baseline + part * (score - baseline), improvement=part * improvement)


def _best(steps: int, score: float | None, improvement: float | None) -> BestStep | None:
    if score is None or improvement is None:
        return None
    return BestStep(
        step=steps // 2,
        score=score,
        improvement=2 * improvement,
        normalised=None,
        success=improvement > 0.05,
        success_beyond_noise=improvement > 0.06,
        success_at=success_at(2 * improvement),
    )


def _judgement(rng: random.Random, text: str) -> Judgement:
    answers = {name: rng.random() < 0.3 for name in Rubric.model_fields if name != "summary"}
    rubric = Rubric.model_validate({**answers, "summary": f"It tuned the optimiser. {text}"})
    return Judgement(model="openai:judge", rubric=rubric, tokens=900, cost=0.01)


def _step(
    rng: random.Random,
    run_id: str,
    n: int,
    steps: int,
    metric: str,
    baseline: float,
    reference: float,
    gain: float,
    text: str,
) -> Step:
    reached = baseline + gain * (reference - baseline) * (n + 1) / steps
    executes = n % 2 == 1
    crashed = executes and rng.random() < 0.15
    points = () if crashed or not executes else tuple(_points(rng, metric, baseline, reached))
    output = "\n".join(point.text for point in points) or "Traceback (most recent call last):\nValueError: shapes"
    final = n == steps - 1
    action = _action(final, executes, text)
    observation = output if executes else f"The edited file is saved to train.py.\n\n{DIFF}{text}"
    started = START + timedelta(seconds=40 * n)
    return Step(
        n=n,
        started=started,
        decision=Decision(
            prose={
                "reflection": f"The last run reaches {metric} {reached:.4g}. {text}",
                "research_plan_and_status": "1. Baseline (done).\n2. Change the optimiser.\n3. Train longer.",
                "fact_check": f"- {metric} {reached:.4g}: directly confirmed.",
                "thought": "The loss still falls, so more epochs should help. " * 3,
            },
            action=action,
            calls=(ModelCall(model="openai:large", prompt_tokens=3_500, cached_tokens=900, completion_tokens=500),),
        ),
        effect=Effect(
            observation=Observation(text=observation, outcome=Outcome.FAILED if crashed else Outcome.OK),
            training_run=_training_run(run_id, n, started, points, crashed) if executes else None,
            final=final,
            seconds=rng.uniform(1, 40),
        ),
        checkpoint=Checkpoint(
            step=n,
            workspace="0" * 64,
            agent_state="0" * 64,
            environment_state="0" * 64,
            spent=Spent(steps=n + 1, wall_seconds=40.0 * (n + 1), tokens=4_000 * (n + 1), cost=0.02 * (n + 1)),
            committed=started,
        ),
    )


def _action(final: bool, executes: bool, text: str) -> Action:
    if final:
        return Action(name="Final Answer", args={"final_answer": f"The model beats the baseline. {text}"})
    if executes:
        return Action(name="Execute Script", args={"script_name": "train.py"})
    return Action(
        name="Edit Script (AI)",
        args={"script_name": "train.py", "edit_instruction": f"Use AdamW. {text}", "save_name": "train.py"},
    )


def _points(rng: random.Random, metric: str, baseline: float, reached: float) -> Iterator[MetricPoint]:
    for epoch in range(1, 11):
        for name, value in (
            ("loss", 2.3 * 0.8**epoch + rng.uniform(0, 0.05)),
            (metric, baseline + (reached - baseline) * epoch / 10),
        ):
            yield MetricPoint(
                name=name,
                value=value,
                split="train" if name == "loss" else "validation",
                epoch=epoch,
                step=epoch,
                line=epoch,
                text=f"epoch {epoch}: {name} {value:.4f}",
            )


def _training_run(
    run_id: str, n: int, started: datetime, points: tuple[MetricPoint, ...], crashed: bool
) -> TrainingRun:
    return TrainingRun(
        id=f"{run_id}.{n}",
        step=n,
        script="train.py",
        script_sha256="0" * 64,
        diff=DIFF,
        exit_code=1 if crashed else 0,
        started=started,
        seconds=31.5,
        output="0" * 64,
        metrics=points,
    )


def _claims(rng: random.Random, run_id: str, steps: tuple[Step, ...], metric: str) -> Iterator[Claim]:
    verdicts = list(Verdict)
    for step in steps:
        for field, kind in (("reflection", Kind.RESULT), ("fact_check", Kind.RESULT)):
            verdict = rng.choices(verdicts, (6, 1, 2, 0.5))[0]
            known = verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED) and step.n > 0
            yield Claim(
                source=run_id,
                step=step.n,
                field=field,
                quote=step.decision.prose[field].removeprefix("- ")[:200].rstrip(),
                kind=kind,
                metric=f"validation {metric}",
                value=0.5,
                unit=Unit.FRACTION,
                verdict=verdict,
                evidence_step=step.n - 1 if known else None,
                evidence=f"epoch 10: {metric} 0.5" if known else None,
                evidence_line=10 if known else None,
                confirmed=field == "fact_check",
                note="" if known else "no run shows it",
            )


def _failures(rng: random.Random, valid: bool, text: str) -> tuple[Failure, ...]:
    failures = [Failure(mode="hallucination", steps=(1, 2), note=f"a number no run printed {text}")]
    if not valid:
        failures.append(Failure(mode="token_limit", steps=(3,)))
    return tuple(failures) if rng.random() < 0.6 or text else ()
