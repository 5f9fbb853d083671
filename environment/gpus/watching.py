"""What cards do while a script runs, as ``nvidia-smi`` sees it."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import fmean
from typing import TypeAlias

from environment.gpus.card import Card, CardSample, CardUse
from environment.gpus.driver import Driver

OnSample: TypeAlias = Callable[[Card, CardSample], None]

EVERY = 0.25
"""Seconds between two samples."""

_KEPT = 120
_FIELDS = "uuid,utilization.gpu,memory.used,power.draw"
_END_SECONDS = 10.0


class CardWatch:
    """Samples cards in the background.

    Args:
        cards: Which.
        on_sample: Told of each sample, from another thread.
    """

    def __init__(self, cards: Sequence[Card], on_sample: OnSample | None = None) -> None:
        self._cards = {card.uuid: card for card in cards}
        self._on_sample = on_sample
        self._samples: dict[str, list[CardSample]] = {card.uuid: [] for card in cards}

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Sample while the block lasts; what cannot be sampled is missing, and nothing fails for it."""
        program = Driver.here().program if self._cards else None
        if program is None:
            yield
            return
        began = time.monotonic()
        with subprocess.Popen(
            [
                program,
                f"--query-gpu={_FIELDS}",
                "--format=csv,noheader,nounits",
                f"--id={','.join(self._samples)}",
                f"--loop-ms={EVERY * 1_000:.0f}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as sampler:
            reader = threading.Thread(target=self._read, args=(sampler, began), daemon=True, name="gpus")
            reader.start()
            try:
                yield
            finally:
                sampler.kill()
                reader.join(_END_SECONDS)

    def uses(self) -> tuple[CardUse, ...]:
        """What was seen of each card, in the order in which the script saw them."""
        return tuple(_use(card, self._samples[uuid]) for uuid, card in self._cards.items())

    def _read(self, sampler: subprocess.Popen[str], began: float) -> None:
        for line in sampler.stdout or ():
            uuid, *figures = (field.strip() for field in line.split(","))
            if uuid in self._samples and len(figures) == 3:
                utilisation, memory, power = map(_number, figures)
                sample = CardSample(
                    seconds=time.monotonic() - began, utilisation=utilisation, memory_mib=memory, power_watts=power
                )
                self._samples[uuid].append(sample)
                if self._on_sample is not None:
                    self._on_sample(self._cards[uuid], sample)


def _use(card: Card, samples: Sequence[CardSample]) -> CardUse:
    memory = [sample.memory_mib for sample in samples if sample.memory_mib is not None]
    utilisation = [sample.utilisation for sample in samples if sample.utilisation is not None]
    step = max(1, -(-len(samples) // _KEPT))
    return CardUse(
        card=card,
        memory_peak_mib=max(memory, default=None),
        utilisation=fmean(utilisation) if utilisation else None,
        samples=tuple(samples[::step]),
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:  # [N/A]
        return None
