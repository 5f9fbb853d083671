"""What the agent's scripts have."""

from __future__ import annotations

from pydantic import Field

from environment.records.display import counted
from foundation.records import Record
from foundation.sizes import GiB, MiB


class Machine(Record):
    """What a script may use; ``None`` and empty where nobody knows."""

    cores: float | None = None
    memory_mib: float | None = None
    disk_mib: float | None = Field(default=None, description="what the workspace may hold")
    gpus: tuple[str, ...] = Field(default=(), description="models of the cards that a script sees")
    python: str = ""
    packages: tuple[str, ...] = Field(default=(), description="libraries for machine learning, with their versions")

    models: str = Field(default="", description="address at which scripts find models")
    literature: str = Field(default="", description="address at which scripts search papers")

    def lines(self) -> list[str]:
        """For the agent and for people, one thing a line."""
        size = [
            self.cores is not None and counted(round(self.cores), "core"),
            self.memory_mib is not None and f"{_gibibytes(self.memory_mib)} of memory",
            " and ".join(self.gpus) or "no GPU",
        ]
        lines = [f"A script has {', '.join(part for part in size if part)}, and no network."]
        if self.disk_mib is not None:
            lines.append(f"The workspace may hold {_gibibytes(self.disk_mib)}.")
        if self.python:
            known = f" with {', '.join(self.packages)}" if self.packages else ""
            lines.append(f"Python {self.python}{known}; nothing can be installed.")
        if self.models:
            lines.append(
                f"Scripts and commands find a model at OPENAI_BASE_URL ({self.models}; chat completions, one call at a "
                "time, model `main` or `fast`); what it uses counts towards the run's tokens and money."
            )
        if self.literature:
            lines.append(
                f"Scripts and commands search papers at LITERATURE_URL ({self.literature}?query=WORDS&limit=N), which "
                "answers JSON."
            )
        return lines


def _gibibytes(mebibytes: float) -> str:
    return f"{mebibytes * MiB / GiB:.3g} GiB"
