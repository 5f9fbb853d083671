"""What the record held before a text, as a list of rows with their ids that is short enough for a prompt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.claims.reading.lines import Listing
from evaluation.language.numbers import Number, find_numbers
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

BUDGET = 12_000
"""Characters of a ledger; longer ones lose the lines that share least with the text."""
_DETAILS = (48, 24, 12, 8, 5, 3, 1)
"""Lines of each kind that an event may have, tried in this order until the ledger fits."""
_RECENT = 3
"""The last events may have twice as many."""
_WIDTH = 160
_GIVEN = 8
"""Values that the text gives are shown beside so many lines."""
_SHORT = 40
"""Lines of an observation that are shown whole where there is room."""
_NONE = Listing([], 0)
_LISTED = re.compile(r"^(?:\s*\d+:|[+-])")
_WORD = re.compile(r"[a-z]{4,}")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "that this with from have been were will would should which their there then than into also more model script"
        " train training data results result step steps next using used code file performance number confirmed directly"
        " improve execute edited edit because achieve",
    )
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
        """Whether the text gives a value's number, or a bound that it keeps."""
        if value.id not in self._given:
            self._given[value.id] = any(self._stating(value))
        return self._given[value.id]

    def gives_exactly(self, value: Measurement) -> bool:
        """Whether the text gives a value's number."""
        return any(not number.bound for number in self._stating(value))

    @cached_property
    def _given(self) -> dict[str, bool]:
        return {}  # by id: a ledger is shortened until it fits, and each time asks the same

    def _stating(self, value: Measurement) -> Iterator[Number]:
        likely = (number for number in self.numbers if number.resolution < number.value)
        return (number for number in likely if number.states(value.value, recorded_percent=value.percent))


def ledger(known: Known, prose: str, budget: int = BUDGET) -> str:
    """Every event before the text with the values and lines that matter to it, oldest first."""
    text = _Text.of(prose)
    cells, has_lines = known.index.cells, shows_lines(known)
    listings = [Listing.of(cells.of(event), prose, text.numbers) if has_lines else _NONE for event in known.events]
    values: defaultdict[str, list[Measurement]] = defaultdict(list)
    for value in known.values:
        values[value.event.id].append(value)
    given = [_value(value) for value in known.given]
    head = ["told in the task:", *given] if given else []
    recent = len(known.events) - _RECENT
    blocks: list[str] = []
    for detail in _DETAILS:
        blocks = [
            _block(event, values[event.id], listing, text, detail * (2 if at >= recent else 1))
            for at, (event, listing) in enumerate(zip(known.events, listings, strict=True))
        ]
        if len("\n".join([*head, *blocks])) <= budget:
            return "\n".join([*head, *blocks]) or "(nothing was done yet)"
    return "\n".join([*head, "(some events are left out)", *_fitting(known.events, blocks, values, text, budget)])


def shows_lines(known: Known) -> bool:
    """Whether outputs hold tables, so that their lines are listed."""
    return any(known.index.cells.of(event).is_open for event in known.events)


def _fitting(
    events: Sequence[Event], blocks: Sequence[str], values: Mapping[str, object], text: _Text, budget: int
) -> list[str]:
    """The blocks that fit: the last events, then those that measured something or share words, the latest first."""
    recent = len(blocks) - _RECENT
    order = sorted(
        range(len(blocks)), key=lambda n: (n < recent, not values.get(events[n].id), -text.shares(blocks[n]), -n)
    )
    kept: set[int] = set()
    for n in order:
        budget -= len(blocks[n]) + 1
        if budget < 0:
            break
        kept.add(n)
    return [blocks[n] for n in sorted(kept)]


def _block(event: Event, values: Sequence[Measurement], printed: Listing, text: _Text, detail: int) -> str:
    own = {line.number for line in printed.lines}
    values = [value for value in values if value.line not in own]
    lines = [_head(event)]
    if event.failure:
        lines.append(f"  failed: {event.failure[:_WIDTH]}")
    lines += [f"  {_value(value)}" for value in _chosen_values(values, text, detail)]
    lines += [f"  {line}" for line in printed.shown(detail)]
    if event.authored:
        lines.append("  (a model wrote the answer, which measures nothing)")
        return "\n".join(lines)
    if event.writes:
        lines += _changes(event, text, detail)
    elif event.kind is EventKind.EDIT and event.succeeded:
        lines.append("  (the difference is empty: nothing was changed)")
    shown = {value.line for value in values} | own | {n for line in printed.lines for n in line.heads}
    lines += [f"  | {line}" for line in _outputs(event, shown, text, max(1, detail // 2))]
    return "\n".join(lines)


def _head(event: Event) -> str:
    command = " ".join(event.command.partition("\n")[0].split())
    name = event.exchange.action.name
    what = command if command.startswith(name) else f"{name} {', '.join(event.files) or command}"
    if event.files and not any(file in what for file in event.files):
        what = f"{what[:_WIDTH]} ({', '.join(event.files)})"
    return f"{event.id} {event.kind.value}: {what[: 2 * _WIDTH]} -> {event.outcome.value}"


def described(row: Measurement | Event) -> str:
    """A row by itself, as the ledger words it."""
    return _value(row) if isinstance(row, Measurement) else _head(row)


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
            return -text.gives_exactly(value)
        return 1 + next((n for n, ids in enumerate(ends) if value.id in ids), len(ends))

    ranked = sorted((rank(value), n) for n, value in enumerate(values))
    given = min(_GIVEN, sum(place <= 0 for place, _ in ranked))
    wanted = sorted(n for place, n in ranked[: given + max(4, limit)] if place < len(ends) + 2)
    return [values[n] for n in wanted]


def _changes(event: Event, text: _Text, limit: int) -> list[str]:
    removed = _chosen(event.removed.splitlines(), text, max(1, limit // 2))
    added = _chosen(event.added.splitlines(), text, limit)
    return [*(f"  - {line}" for line in removed), *(f"  + {line}" for line in added)]


def _outputs(event: Event, shown: Collection[int | None], text: _Text, limit: int) -> list[str]:
    """Lines of the observation that are not shown already: those that share words with the text, and how it ended.

    Of an edit these are lines beside the ones written, as a listing after it or the difference shows them.
    """
    written = {line.strip() for line in event.difference.splitlines()}
    lines = [
        line
        for n, line in enumerate(event.observation.split("\n"), 1)
        if n not in shown and line.strip() and _LISTED.sub("", line, count=1).strip() not in written
    ]
    is_short = len(lines) <= _SHORT
    least = 1 if event.kind is EventKind.EDIT else 2
    last = lines[-3 if not event.succeeded else -1 :] if event.kind not in (EventKind.EDIT, EventKind.READ) else []
    near = [line for line in lines if is_short or text.shares(line) >= least or line in last]
    return _chosen(near, text, limit)


def _chosen(lines: Iterable[str], text: _Text, limit: int) -> list[str]:
    """At most so many lines, those that share most with the text, in their order."""
    given = [line.rstrip() for line in lines if line.strip()]
    if len(given) <= limit:
        return [line[:_WIDTH] for line in given]
    best = sorted(range(len(given)), key=lambda n: (-text.shares(given[n]), n))[:limit]
    return [*(given[n][:_WIDTH] for n in sorted(best)), f"… {len(given) - limit} more lines"]
