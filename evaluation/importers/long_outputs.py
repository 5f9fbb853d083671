"""Outputs that are too long to be read whole: their beginnings and their ends are."""

from __future__ import annotations

from environment.records.display import counted
from evaluation.record.log import Exchange, LogStep, RunLog

LONGEST = 8_000_000
"""Characters of one output. Every value in it is a row, and a loop that prints each step says little in its middle."""


def shortened(log: RunLog) -> tuple[RunLog, str]:
    """The log with outputs that are not too long, and what people should know; nothing where none was.

    That something is left out stands where it was, so that nothing follows from what such an output does not show.
    """
    found = sum(_is_long(exchange) for step in log.steps for exchange in step.exchanges)
    if not found:
        return log, ""
    note = f"of {counted(found, 'output')} only beginning and end are read, {LONGEST:,} characters"
    return log.model_copy(update={"steps": tuple(map(_step, log.steps))}), note


def _step(step: LogStep) -> LogStep:
    return step.model_copy(update={"exchanges": tuple(map(_exchange, step.exchanges))})


def _exchange(exchange: Exchange) -> Exchange:
    if not _is_long(exchange):
        return exchange
    text = exchange.observation
    head, tail = text[: LONGEST // 2], text[-LONGEST // 2 :]
    # Whole lines: half a number would be another.
    kept = head.rpartition("\n")[0] or head, tail.partition("\n")[2] or tail
    left_out = f"[output truncated: {len(text) - sum(map(len, kept)):,} characters left out]"
    return exchange.model_copy(update={"observation": "\n".join((kept[0], left_out, kept[1]))})


def _is_long(exchange: Exchange) -> bool:
    return len(exchange.observation) > LONGEST
