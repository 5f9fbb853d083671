"""A machine with two cards that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.gpus.driver import ROOT_VARIABLE
from tests.environment.gpus import fake_driver


@pytest.fixture
def two_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root folder of a driver of two cards, which this process and those it starts take for the machine's."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    root = fake_driver.install(tmp_path / "driver", 2)
    monkeypatch.setenv(ROOT_VARIABLE, str(root))
    return root
