"""What a model call costs, from a dated price table that a user's own file may override."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from pydantic import Field, ValidationError

from agent.errors import AgentSettingsError
from foundation.records import Record

PRICES_VARIABLE = "MLAB_PRICES"
_PER = 1_000_000


class Price(Record):
    """US dollars per million tokens; ``None`` means the input price."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)

    def cost(self, *, prompt: int, cached: int, written: int, completion: int) -> float:
        """US dollars of a call; ``prompt`` counts all prompt tokens, the cached and written ones too."""
        cached_price = self.input if self.cached is None else self.cached
        write_price = self.input if self.cache_write is None else self.cache_write
        plain = max(prompt - cached - written, 0)
        dollars = plain * self.input + cached * cached_price + written * write_price + completion * self.output
        return dollars / _PER


class PriceTable(Record):
    """Prices by ``provider:model``, and the version that a result is stamped with."""

    version: str
    prices: Mapping[str, Price]

    def price(self, model: str, address: str | None = None) -> Price | None:
        """What a model costs, as far as known; at an address of one's own only a price for that address counts."""
        return self.prices.get(f"{model}@{address}" if address else model)


def load_prices(override: Path | None = None) -> PriceTable:
    """The shipped table, overridden by the file given or else by the one ``MLAB_PRICES`` names.

    Raises:
        AgentSettingsError: The file cannot be read or is no price table.
    """
    shipped = _parse(files("agent.models").joinpath("prices.toml").read_text(encoding="utf-8"), "prices.toml")
    named = os.environ.get(PRICES_VARIABLE)
    path = override or (Path(named) if named else None)
    if path is None:
        return shipped
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise AgentSettingsError(f"The price table {path} cannot be read: {error.strerror}") from error
    own = _parse(text, str(path))
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return PriceTable(version=f"{shipped.version}+{own.version}.{digest}", prices={**shipped.prices, **own.prices})


def _parse(text: str, name: str) -> PriceTable:
    try:
        return PriceTable.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise AgentSettingsError(
            f"{name} is no price table: {error}",
            hint='It needs version = "<date>" and [prices] with "provider:model" = { input = 1.0, output = 2.0 }',
        ) from error
