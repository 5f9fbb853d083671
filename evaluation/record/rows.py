"""Everything that a verdict can rest on, by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evaluation.record.events import Event
from evaluation.record.index import Index
from evaluation.record.measurements import Measurement


class Rows(Mapping[str, Measurement | Event]):
    """Everything that was known before a step, by id."""

    def __init__(self, index: Index, step: int) -> None:
        self._index = index
        self._step = step
        self._measurements: dict[tuple[str, ...], Sequence[Measurement]] = {}

    def measurements(self, ids: tuple[str, ...]) -> Sequence[Measurement]:
        """The measurements among those of some ids; a claim's rows are asked for over and over."""
        if ids not in self._measurements:
            self._measurements[ids] = [row for id_ in ids if isinstance(row := self.get(id_), Measurement)]
        return self._measurements[ids]

    def __getitem__(self, id_: str) -> Measurement | Event:
        row = self._index.row(id_)
        if row is None or row.step >= self._step:
            raise KeyError(id_)
        return row

    def __iter__(self) -> Iterator[str]:
        return (id_ for id_, row in self._index.by_id.items() if row.step < self._step)

    def __len__(self) -> int:
        return sum(1 for _ in self)
