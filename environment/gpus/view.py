"""What a command in a sandbox is shown of the cards it was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from environment.gpus.card import Card
from environment.gpus.driver import Driver

_SYSTEM = Path("/usr")  # shown by every sandbox


@dataclass(frozen=True)
class GpuView:
    """Device files, folders and variables by which programs find their cards.

    Attributes:
        devices: Device files of the host by their path inside.
        folders: Folders of the driver that are not part of the system's own, shown where they are.
        programs: Folders for the PATH, before the system's: another driver's may lie there.
        variables: The command's environment.
    """

    devices: Mapping[str, Path] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    programs: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def gpu_view(cards: Sequence[Card], *, renumbered: bool = True) -> GpuView:
    """The view of some cards; of none, it hides them.

    Args:
        cards: In the order in which the command counts them.
        renumbered: The sandbox shows these cards alone, so that they count from 0; else they go by their UUIDs.
    """
    if not cards:
        return GpuView(variables={} if renumbered else {"CUDA_VISIBLE_DEVICES": ""})
    driver = Driver.here()
    libraries, program = driver.libraries, driver.program
    places = [folder for folder in (libraries, program and program.parent) if folder is not None]
    names = (str(n) if renumbered else card.uuid for n, card in enumerate(cards))
    return GpuView(
        devices={f"/dev/{path.name}": path for path in driver.devices(cards)},
        folders=tuple(dict.fromkeys(folder for folder in places if not folder.resolve().is_relative_to(_SYSTEM))),
        programs=(str(program.parent),) if program else (),
        variables={
            "CUDA_VISIBLE_DEVICES": ",".join(names),
            "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
            **({"LD_LIBRARY_PATH": str(libraries)} if libraries else {}),
        },
    )


def container_view(cards: Sequence[Card]) -> GpuView:
    """The view in a container, to which NVIDIA's toolkit brings the driver itself.

    An image made for CUDA asks for all cards by a variable of its own, which is answered here.
    """
    if not cards:
        return GpuView(variables={"NVIDIA_VISIBLE_DEVICES": "void"})
    names = ",".join(str(n) for n in range(len(cards)))
    return GpuView(variables={"CUDA_VISIBLE_DEVICES": names, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"})
