"""Figures as people read them, in the terminal, in Prefect and in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from environment.gpus.card import CardUse
from environment.records.config import BEST_VALIDATED
from environment.records.result import RunResult
from environment.records.run import EndedBy, KilledBy, TrainingRun

NONE = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
STOPPED_BY = {
    KilledBy.TIMEOUT: "it ran longer than its limit",
    KilledBy.MEMORY: "it used more memory than its limit",
    KilledBy.OUTPUT: "it printed more than its limit",
    KilledBy.WORKSPACE: "the workspace grew beyond its limit",
    KilledBy.CANCELLED: "it was told to stop",
}
_RAISED_BY = {
    KilledBy.TIMEOUT: "--script-timeout",
    KilledBy.MEMORY: "memory_mib in the task's task.toml",
    KilledBy.WORKSPACE: "--max-disk",
}


def percent(value: float | None, *, signed: bool = False) -> str:
    """A fraction in percent, with a digit behind the point where it matters; ``signed`` puts a plus before gains."""
    if value is None:
        return NONE
    scaled = 100 * value
    if not isfinite(scaled) or abs(scaled) >= 1e15:
        return f"{'+' if signed and scaled > 0 else ''}{number(scaled)} %"
    digits = 0 if abs(scaled) >= 100 or abs(scaled - round(scaled)) < 1e-9 else 1
    return f"{_signed(scaled, digits, plus=signed)} %"


def number(value: float | None) -> str:
    """Four significant digits, thousands separated."""
    if value is None:
        return NONE
    size = abs(value)
    text = f"{size:.3e}" if size >= 1e6 else f"{size:,.0f}" if size >= 1e4 else f"{size:,.4g}"
    return f"{MINUS}{text}" if value < 0 else text


def money(value: float | None) -> str:
    """US dollars; fractions of a cent where a run costs that little."""
    if value is None:
        return NONE
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.4f}"


def count(value: float | None) -> str:
    """A count in short: 950, 12.3k, 4.5M."""
    if value is None:
        return NONE
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.1f}".removesuffix(".0") + suffix
    return f"{value:.1f}".removesuffix(".0")


def duration(seconds: float | None) -> str:
    """Wall time: 0.4 s, 38 s, 12 min, 3 h 20 min."""
    if seconds is None:
        return NONE
    if not isfinite(seconds):
        return NONE
    if seconds < 120:
        return f"{seconds:.{0 if seconds >= 10 or seconds == 0 else 1}f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = ((hours, "h"), (minutes, "min")) if hours >= 2 else ((60 * hours + minutes, "min"),)
    return " ".join(f"{value} {unit}" for value, unit in parts if value)


def joined(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def counted(value: int, noun: str) -> str:
    """``1 step``, ``9,000 tokens``."""
    return f"{value:,} {noun}{'' if value == 1 else 's'}"


def latest_metrics(run: TrainingRun, most: int | None = None, between: str = "  ") -> str:
    """The last value of each metric of a training run, held-out ones first; of more than ``most`` the newest first.

    What is measured last in a script is mostly what counts.
    """
    values = run.held_out_first if most is None else run.latest_metrics
    shown = [f"{name} {number(value)}" for name, value in values.items()]
    return between.join(shown if most is None else reversed(shown[-most:]))


def script_ending(run: TrainingRun) -> str:
    """How a script ended: ``exit code 1``, or which limit stopped it, with what raises that one."""
    if run.killed_by is None:
        return f"exit code {run.exit_code}"
    raised = f" ({_RAISED_BY[run.killed_by]} raises it)" if run.killed_by in _RAISED_BY else ""
    return f"stopped: {STOPPED_BY[run.killed_by]}{raised}"


def ended_line(result: RunResult) -> str:
    """What ended a run, in words; empty where nothing has."""
    if result.ended_by is None:
        return ""
    words = result.ended_by.value.replace("_", " ")
    if result.ended_by is EndedBy.MONEY and result.cost is None:
        return f"{words}: a call had no known price, so no other is paid for under a limit; MLAB_PRICES tells prices"
    return words


def submission_line(result: RunResult) -> str:
    """Which step was submitted under a rule that chooses, and what the other one scores; empty where nothing is told.

    ``step 2, best-validated (validation MAE 12.1); the last, step 7: 73.8``
    """
    made = result.submission
    if made is None or (made.rule != BEST_VALIDATED and made.other is None):
        return ""
    chosen = made.best_validated
    why = f" ({chosen.metric} {number(chosen.value)})" if chosen else " (nothing validated: the last)"
    rules = [f"{BEST_VALIDATED}{why}", "the last"]
    submitted, which = rules if made.rule == BEST_VALIDATED else reversed(rules)
    graded = f"step {made.step}, {submitted}"
    if made.other is None:
        return graded
    score = number(made.other.score) if made.other.invalid is None else "no valid submission"
    return f"{graded}; {which}, step {made.other.step}: {score}"


def transfer_line(result: RunResult) -> str:
    """``+12 % on cifar10, +8.1 % on cifar100``: what a script gained where it was found and where it was applied."""
    origin = result.transferred
    if origin is None:
        return ""
    before, after = (percent(found.improvement, signed=True) for found in (origin, result))
    return f"{before} on {origin.task} (run {origin.run_id}), {after} on {result.task}"


def card_use(use: CardUse) -> str:
    """``GPU NVIDIA H200, driver 580.159, at most 1,234 of 143,771 MiB, 37 % busy``."""
    card, peak, busy = use.card, use.memory_peak_mib, use.utilisation
    parts = [f"GPU {card.model}", f"driver {card.driver}"]
    if peak is not None:
        parts.append(f"at most {peak:,.0f} of {card.memory_mib:,.0f} MiB")
    if busy is not None:
        parts.append(f"{percent(busy / 100)} busy")
    return ", ".join(parts)


def shares(run: TrainingRun) -> str:
    """What a training run took of the machine: ``CPU 185 %, GPU 0 37 %``; empty where nothing is known."""
    known = {use.card.index: use.utilisation for use in run.gpus if use.utilisation is not None}
    return busy(run.cpu_share, known)


def busy(cpu: float | None, gpus: Mapping[int, float]) -> str:
    """``CPU 185 %, GPU 0 37 %``; empty where nothing is known.

    Args:
        cpu: 1.0 is one core.
        gpus: Percent of the time that a kernel ran, by the card's number.
    """
    of_cpu = [f"CPU {percent(round(cpu, 2))}"] if cpu is not None else []
    return ", ".join([*of_cpu, *(f"GPU {index} {percent(round(share) / 100)}" for index, share in gpus.items())])


def _signed(value: float, digits: int, *, plus: bool) -> str:
    """The number with a real minus sign, and without any sign where it is rounded to zero."""
    text = f"{abs(value):,.{digits}f}"
    if not text.strip("0.,"):
        return text
    return f"{MINUS if value < 0 else '+' if plus else ''}{text}"
