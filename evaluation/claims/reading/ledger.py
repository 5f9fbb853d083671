"""What the record held before a text, as a list of rows with their ids that is short enough for a prompt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.language.numbers import Number, find_numbers
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

BUDGET = 9_000
"""Characters of a ledger; longer ones lose the lines that share least with the text."""
_DETAILS = (48, 24, 12, 8, 5, 3, 1)
"""Lines of each kind that an event may have, tried in this order until the ledger fits."""
_RECENT = 3
"""The last events may have twice as many."""
_WIDTH = 160
_WORD = re.compile(r"[a-z]{4,}")
_COMMON = frozenset(
    [
        "that",
        "this",
        "with",
        "from",
        "have",
        "been",
        "were",
        "will",
        "would",
        "should",
        "which",
        "their",
        "there",
        "then",
        "than",
        "into",
        "also",
        "more",
        "model",
        "script",
        "train",
        "training",
        "data",
        "results",
        "result",
        "step",
        "steps",
        "next",
        "using",
        "used",
        "code",
        "file",
        "performance",
        "number",
        "confirmed",
        "directly",
        "improve",
        "execute",
        "edited",
        "edit",
        "because",
        "achieve",
    ]
)


@dataclass(frozen=True)
class _Text:
    """What of the text tells which lines matter."""

    words: frozenset[str]
    numbers: tuple[Number, ...]

    @classmethod
    def of(cls, prose: str) -> _Text:
        return cls(frozenset(_WORD.findall(prose.lower())) - _COMMON, find_numbers(prose))

    def shares(self, line: str) -> int:
        """How much a line has in common with the text."""
        own = self.words.intersection(_WORD.findall(line.lower().replace("_", " ")))
        given = any(number.text.strip("~$%+ ") in line for number in self.numbers if len(number.text) > 1)
        return len(own) + 2 * given

    def gives(self, value: Measurement) -> bool:
        """Whether the text gives a value's number."""
        return any(
            n.states(value.value, recorded_percent=value.percent) for n in self.numbers if n.resolution < n.value
        )


def ledger(known: Known, prose: str, budget: int = BUDGET) -> str:
    """Every event before the text with the values and lines that matter to it, oldest first."""
    text = _Text.of(prose)
    values: defaultdict[str, list[Measurement]] = defaultdict(list)
    for value in known.values:
        values[value.event.id].append(value)
    told = [_value(value) for value in known.told]
    head = ["told in the task:", *told] if told else []
    recent = len(known.events) - _RECENT
    blocks: list[str] = []
    for detail in _DETAILS:
        blocks = [
            _block(event, values[event.id], text, detail * (2 if at >= recent else 1))
            for at, event in enumerate(known.events)
        ]
        if len("\n".join([*head, *blocks])) <= budget:
            return "\n".join([*head, *blocks]) or "(nothing was done yet)"
    kept: list[str] = []
    for block in reversed(blocks):
        if sum(map(len, kept)) + len(block) > budget:
            break
        kept.insert(0, block)
    return "\n".join([*head, "(earlier events are left out)", *kept])


def _block(event: Event, values: Sequence[Measurement], text: _Text, detail: int) -> str:
    lines = [_head(event)]
    if event.failure:
        lines.append(f"  failed: {event.failure[:_WIDTH]}")
    lines += [f"  {_value(value)}" for value in _chosen_values(values, text, detail)]
    if event.authored:
        lines.append("  (a model wrote the answer, which measures nothing)")
        return "\n".join(lines)
    if event.writes:
        lines += _changes(event, text, detail)
    elif event.kind is EventKind.EDIT and event.succeeded:
        lines.append("  (the difference is empty: nothing was changed)")
    if event.kind is not EventKind.EDIT:
        lines += [f"  | {line}" for line in _outputs(event, values, text, max(1, detail // 3))]
    return "\n".join(lines)


def _head(event: Event) -> str:
    command = " ".join(event.command.partition("\n")[0].split())
    name = event.exchange.action.name
    what = command if command.startswith(name) else f"{name} {', '.join(event.files) or command}"
    if event.files and not any(file in what for file in event.files):
        what = f"{what[:_WIDTH]} ({', '.join(event.files)})"
    return f"{event.id} {event.kind.value}: {what[: 2 * _WIDTH]} -> {event.outcome.value}"


def _value(value: Measurement) -> str:
    named = " ".join(part for part in (value.split or "", value.metric) if part)
    notes = [value.label] if value.label else []
    notes += [f"epoch {value.epoch:g}"] if value.epoch is not None else []
    notes += ["called baseline"] if value.is_baseline else []
    notes += ["official"] if value.is_official else []
    if value.name and value.name.lower() != value.metric and not value.derived_from:
        notes.append(f"printed as {value.name}")
    note = f" ({', '.join(notes)})" if notes else ""
    return f"{value.id} {named} = {value.value:.8g}{' %' * value.percent}{note}"


def _chosen_values(values: Sequence[Measurement], text: _Text, limit: int) -> list[Measurement]:
    """The values that the text gives, then the final ones, then the first of each series, in the order printed."""
    first, last = dict[object, str](), dict[object, str]()
    for value in values:
        first.setdefault((value.metric, value.split, value.label), value.id)
        last[value.metric, value.split, value.label] = value.id
    ends = [frozenset(last.values()), frozenset(first.values())]

    def rank(value: Measurement) -> int:
        if value.derived_from:
            return len(ends) if text.gives(value) else len(ends) + 2
        if text.gives(value):
            return 0
        return 1 + next((n for n, ids in enumerate(ends) if value.id in ids), len(ends))

    ranked = sorted((rank(value), n) for n, value in enumerate(values))
    wanted = sorted(n for place, n in ranked[: max(4, limit)] if place < len(ends) + 2)
    return [values[n] for n in wanted]


def _changes(event: Event, text: _Text, limit: int) -> list[str]:
    removed = _chosen(event.removed.splitlines(), text, max(1, limit // 2))
    added = _chosen(event.added.splitlines(), text, limit)
    return [*(f"  - {line}" for line in removed), *(f"  + {line}" for line in added)]


def _outputs(event: Event, values: Sequence[Measurement], text: _Text, limit: int) -> list[str]:
    """Lines of the observation that hold no value above and share words with the text, and the last of them."""
    told = {value.line for value in values}
    lines = [line for n, line in enumerate(event.observation.split("\n"), 1) if n not in told and line.strip()]
    near = [line for line in lines if text.shares(line) > 1]
    last = lines[-1:] if event.shows_output else []
    return _chosen([*near, *(line for line in last if line not in near)], text, limit)


def _chosen(lines: Iterable[str], text: _Text, limit: int) -> list[str]:
    """At most so many lines, those that share most with the text, in their order."""
    given = [line.rstrip() for line in lines if line.strip()]
    if len(given) <= limit:
        return [line[:_WIDTH] for line in given]
    best = sorted(range(len(given)), key=lambda n: (-text.shares(given[n]), n))[:limit]
    return [*(given[n][:_WIDTH] for n in sorted(best)), f"… {len(given) - limit} more lines"]
