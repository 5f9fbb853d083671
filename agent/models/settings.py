"""Settings of model calls, the same for every agent: ``model.temperature`` and so on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from agent.settings import AgentSettings
from foundation.storable import Text


class ModelSettings(AgentSettings):
    """How models are called; names are given as ``model.<name>``."""

    base_url: str | None = Field(default=None, description="address of a server that speaks the provider's protocol")
    temperature: float | None = Field(default=None, ge=0, description="default: the provider's")
    top_p: float | None = Field(default=None, gt=0, le=1, description="default: the provider's")
    reasoning_effort: Text | None = Field(default=None, description="how much to think, in the provider's words")
    thinking: Annotated[int, Field(ge=1_024)] | Literal["adaptive"] | None = Field(
        default=None, description="tokens of thinking besides the answer, or adaptive (Anthropic)"
    )
    max_tokens: int = Field(default=4096, ge=1, description="longest answer, in tokens")
    stop: bool = Field(default=False, description="stop at 'Observation:'; some models refuse stop sequences")
    streaming: bool = Field(default=False, description="receive answers in pieces, for very long ones")
    timeout: float = Field(default=600, gt=0, description="seconds until a silent call counts as failed")
    attempts: int = Field(default=6, ge=1, description="calls of one prompt, where rate limits or the network fail it")
    backoff: float = Field(default=1, gt=0, description="seconds before the first repetition; doubled each time")
    requests_per_minute: float | None = Field(default=None, gt=0, description="limit of this process")
    prices: Path | None = Field(default=None, description="TOML file with prices that override the shipped ones")
