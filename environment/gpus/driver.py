"""NVIDIA's driver as it is installed here: its program, its libraries, its device files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from environment.gpus.card import Card

ROOT_VARIABLE = "MLAB_NVIDIA_ROOT"
"""Where the driver is installed if not in the system itself: ``/run/nvidia/driver`` for one kept in a container."""

_PROGRAM = "nvidia-smi"
_LIBRARY = "libcuda.so.1"
_DEVICES_OF_ALL_CARDS = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps")
_FOLDERS = ("usr/local/nvidia", "usr/lib/wsl/lib", "run/opengl-driver", "opt/nvidia", "usr")
"""Below the root; each holds programs and libraries itself or in its ``bin``, ``lib64`` and ``lib``."""

_SECONDS = 60.0


class Driver(NamedTuple):
    """The driver under a root folder."""

    root: Path

    @classmethod
    def here(cls) -> Driver:
        """The driver of this machine, installed or not."""
        return cls(Path(os.environ.get(ROOT_VARIABLE, "/")))

    @property
    def program(self) -> Path | None:
        """``nvidia-smi``; ``None`` where no driver is installed."""
        found = next((path for folder in self._folders("bin") if (path := folder / _PROGRAM).is_file()), None)
        if found is None and self.root == Path("/") and (on_path := shutil.which(_PROGRAM)):
            return Path(on_path)
        return found

    @property
    def known_to_loader(self) -> bool:
        """Whether the system's loader finds the driver's libraries by itself."""
        ldconfig = shutil.which("ldconfig", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
        if self.root != Path("/") or ldconfig is None:
            return False
        listed = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
        return any(line.strip().startswith(_LIBRARY) for line in listed.splitlines())

    @property
    def libraries(self) -> Path | None:
        """The folder of the driver's libraries where the system's loader does not know it."""
        if self.known_to_loader:
            return None
        set_by_hand = [Path(folder) for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
        return next((folder for folder in [*self._folders(), *set_by_hand] if (folder / _LIBRARY).exists()), None)

    def devices(self, cards: Sequence[Card]) -> list[Path]:
        """The device files that programs need to use the cards, and no other."""
        if not cards:
            return []
        names = [*(f"nvidia{card.minor}" for card in cards), *_DEVICES_OF_ALL_CARDS]
        return [path for name in names if (path := self.root / "dev" / name).exists()]

    def ask(self, *arguments: str) -> str:
        """What ``nvidia-smi`` answers; nothing where it is not there or does not work."""
        if self.program is None:
            return ""
        try:
            done = subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout if done.returncode == 0 else ""

    def _folders(self, *inner: str) -> Iterator[Path]:
        for folder in _FOLDERS:
            for name in inner or ("lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"):
                yield self.root / folder / name
            yield self.root / folder
