"""A driver that has no cards behind it: a folder of files in place of devices, and a program that tells of them.

Everything above it is real. Inside a sandbox the program looks at the device files that are shown there.
"""

from __future__ import annotations

from pathlib import Path

from environment.gpus.card import Card

MODEL, DRIVER, MEMORY_MIB = "NVIDIA Fake 9000", "999.1", 8_192.0

_PROGRAM = """#!/bin/bash
dev="$(dirname "$0")/../../../../dev"
[ -d "$dev" ] || dev=/dev
minors=$(cd "$dev" && ls -d nvidia[0-9]* 2>/dev/null | sed 's/nvidia//' | sort -n)
case "$*" in
-L) for n in $minors; do echo "GPU 0: {model} (UUID: GPU-fa4e-$n)"; done ;;
*-x*)
  echo "<nvidia_smi_log><driver_version>{driver}</driver_version>"
  for n in $minors; do
    echo "<gpu id='$n'><product_name>{model}</product_name><uuid>GPU-fa4e-$n</uuid>"
    echo "<minor_number>$n</minor_number><fb_memory_usage><total>{memory:.0f} MiB</total></fb_memory_usage></gpu>"
  done
  echo "</nvidia_smi_log>" ;;
*--query-gpu=*)
  memory=100
  while true; do
    for n in $minors; do echo "GPU-fa4e-$n, 50, $memory, [N/A]"; done
    memory=$((memory + 100)); sleep 0.05
  done ;;
*--query-compute-apps*) ;;
*) exit 1 ;;
esac
"""


def install(root: Path, cards: int) -> Path:
    """Lay a driver of so many cards under a folder."""
    for name in (*(f"nvidia{n}" for n in range(cards)), "nvidiactl", "nvidia-uvm"):
        (root / "dev").mkdir(parents=True, exist_ok=True)
        (root / "dev" / name).touch()
    programs = root / "usr" / "local" / "nvidia" / "bin"
    programs.mkdir(parents=True)
    program = programs / "nvidia-smi"
    program.write_text(_PROGRAM.format(model=MODEL, driver=DRIVER, memory=MEMORY_MIB).replace("{{", "{"))
    program.chmod(0o755)
    for folder in (programs, *programs.parents):  # pytest's own folders are closed to other users
        if folder.is_relative_to(root):
            folder.chmod(0o755)
    return root


def card(n: int) -> Card:
    """What the driver tells of its card ``n``."""
    return Card(index=n, uuid=f"GPU-fa4e-{n}", model=MODEL, driver=DRIVER, memory_mib=MEMORY_MIB, minor=n)
