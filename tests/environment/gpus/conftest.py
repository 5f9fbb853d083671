"""A machine with two cards that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.gpus.driver import ROOT_VARIABLE
from tests.environment.gpus import fake_driver


@pytest.fixture
def two_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root folder of a driver of two cards, which this process and those it starts take for the machine's."""
    for of_real_cards in ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(of_real_cards, raising=False)
    root = fake_driver.install(tmp_path / "driver", 2)
    monkeypatch.setenv(ROOT_VARIABLE, str(root))
    return root
