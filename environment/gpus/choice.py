"""Which cards are asked for, in the words of ``--gpus``."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from environment.gpus.card import Card, named
from foundation.records import Record

AUTO, NONE = "auto", "none"
_IDS = re.compile(r"id:(?P<ids>[^,\s]+(?:,[^,\s]+)*)")
_WORDS = "auto, none, a number of cards, or id: and the cards' numbers or UUIDs, such as id:0,2"


class GpuChoice(Record):
    """What is wanted.

    Attributes:
        count: How many; ``None`` where this is left to the task and to what is free.
        ids: Which ones; empty for any.
    """

    count: int | None = None
    ids: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> GpuChoice:
        """Read ``auto``, ``none``, a number, or ``id:0,2``.

        Raises:
            ValueError: It is none of these.
        """
        if text == AUTO:
            return cls()
        if text == NONE:
            return cls(count=0)
        if text.isdecimal():
            return cls(count=int(text))
        if match := _IDS.fullmatch(text):
            ids = tuple(match["ids"].split(","))
            return cls(count=len(ids), ids=ids)
        raise ValueError(f"{text!r} names no GPUs; it is {_WORDS}")

    def among(self, cards: list[Card]) -> list[Card]:
        """Those of the cards that it leaves to choose from."""
        found = [card for name in self.ids for card in named(name, cards)] if self.ids else cards
        return list(dict.fromkeys(found))


def _readable(text: str) -> str:
    GpuChoice.parse(text)
    return text


def _text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Gpus = Annotated[str, BeforeValidator(_text), AfterValidator(_readable)]
"""A field that says which cards are wanted; in a file, a number may stand without quotes."""
