"""NVIDIA device files of this machine, for passing some of them into a sandbox."""

from __future__ import annotations

from pathlib import Path

from environment.errors import SandboxError

_SHARED = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps")


def gpu_devices(wanted: int | tuple[str, ...], dev: Path = Path("/dev")) -> list[Path]:
    """The device files that ``wanted`` GPUs need; none where the machine has no GPU.

    Args:
        wanted: How many, at most; or names under ``/dev`` ("nvidia0"), each of which must exist.
        dev: Folder of device files.

    Raises:
        SandboxError: A named device does not exist.
    """
    if isinstance(wanted, int):
        cards = sorted(dev.glob("nvidia[0-9]*"))[:wanted]
    else:
        cards = [dev / name.removeprefix("/dev/") for name in wanted]
        if missing := [str(card) for card in cards if not card.exists()]:
            raise SandboxError(f"no such GPU device: {', '.join(missing)}")
    return [*cards, *(dev / name for name in _SHARED if (dev / name).exists())] if cards else []
