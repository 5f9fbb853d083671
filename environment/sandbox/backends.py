"""The kinds of sandboxes, by name: all that command line, configuration and checks know of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from environment.gpus.card import Card
from environment.sandbox.base import Sandbox
from environment.sandbox.leftovers import Held
from foundation.plugins import BuiltIn, Plugins


@dataclass(frozen=True)
class Setup:
    """What a sandbox is opened with.

    Attributes:
        label: Names the run on what is shown of it.
        image: Provides system and Python, where the kind takes one; by default both are the host's, read-only.
        cards: For the commands whose limits grant GPUs; the caller has leased them.
    """

    label: str
    image: str | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Backend:
    """One kind of sandbox.

    Attributes:
        open: Makes one, after what dead harnesses left behind is cleared away; raises ``SandboxUnavailableError``.
        held: What sandboxes of the kind hold on this machine.
        takes_image: Whether ``Setup.image`` means anything to it.
        protects: Whether it keeps commands from what they may not have.
    """

    open: Callable[[Setup], Sandbox]
    held: Callable[[], list[Held]]
    takes_image: bool = False
    protects: bool = True


SANDBOXES: Plugins[Backend] = Plugins(
    "sandboxes",
    {
        "docker": BuiltIn("environment.sandbox.docker:DOCKER", "a fresh, hardened container for each command"),
        "bubblewrap": BuiltIn("environment.sandbox.bubblewrap:BUBBLEWRAP", "Linux namespaces, without a daemon"),
        "none": BuiltIn("environment.sandbox.unconfined:UNCONFINED", "plain processes: no protection at all"),
    },
)
"""In the order in which ``auto`` tries those that protect."""
