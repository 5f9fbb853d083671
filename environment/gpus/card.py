"""What is recorded of a card, and of the use that a script made of it."""

from __future__ import annotations

from pydantic import Field

from foundation.records import Record


class Card(Record):
    """One NVIDIA card of this machine.

    Attributes:
        index: Its number in ``nvidia-smi``.
        uuid: Its name wherever numbers differ.
        model: As the driver calls it.
        driver: The driver's version.
        memory_mib: All of its memory.
        minor: The number of its device file.
    """

    index: int
    uuid: str
    model: str
    driver: str
    memory_mib: float
    minor: int


def named(name: str, cards: list[Card]) -> list[Card]:
    """The card of a number or of a UUID, whose beginning is enough where it is unique; empty where there is none."""
    name = name.strip()
    if name.isdigit():
        return [card for card in cards if card.index == int(name)]
    found = [card for card in cards if name and card.uuid.startswith(name)]
    return found if len(found) == 1 else []


class CardSample(Record):
    """A card at one moment of a script; ``None`` where the card does not tell."""

    seconds: float = Field(description="since the script began")
    utilisation: float | None = Field(default=None, description="percent of the time that a kernel ran")
    memory_mib: float | None = None
    power_watts: float | None = None


class CardUse(Record):
    """A card that a script was given, and what was seen of it meanwhile."""

    card: Card
    memory_peak_mib: float | None = Field(default=None, description="the most of all samples")
    utilisation: float | None = Field(default=None, description="percent, the mean of all samples")
    samples: tuple[CardSample, ...] = Field(default=(), description="spread evenly, where there were too many")
