"""The cards of this machine that this process may hand out."""

from __future__ import annotations

import os
from collections.abc import Iterator

from environment.gpus.card import Card, named
from environment.gpus.driver import Driver

_VISIBLE = "CUDA_VISIBLE_DEVICES"


def cards_here(driver: Driver | None = None) -> list[Card]:
    """The cards that ``nvidia-smi`` tells of, in its order; none where there is no driver.

    Where ``CUDA_VISIBLE_DEVICES`` is set, by a batch system that gave this process some of the machine's
    cards, no other counts. A card that is split into instances (MIG) is left out.
    """
    described = (driver or Driver.here()).ask("-q", "-x")
    cards = list(_cards(described)) if described else []
    visible = os.environ.get(_VISIBLE)
    return cards if visible is None else [card for name in visible.split(",") for card in named(name, cards)]


def _cards(described: str) -> Iterator[Card]:
    from xml.etree import ElementTree

    try:
        log = ElementTree.fromstring(described)
    except ElementTree.ParseError:
        return
    driver = log.findtext("driver_version", "")
    for index, gpu in enumerate(log.iter("gpu")):
        minor = gpu.findtext("minor_number", "")
        if gpu.findtext("mig_mode/current_mig") == "Enabled" or not minor.isdigit():
            continue
        yield Card(
            index=index,
            uuid=gpu.findtext("uuid", ""),
            model=gpu.findtext("product_name", ""),
            driver=driver,
            memory_mib=_number(gpu.findtext("fb_memory_usage/total", "")),
            minor=int(minor),
        )


def _number(text: str) -> float:
    """The number of ``143771 MiB``; 0 where there is none."""
    try:
        return float(text.split()[0])
    except (ValueError, IndexError):
        return 0.0
