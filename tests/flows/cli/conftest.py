"""What tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.cli.damaging import damaged_home, whole
from tests.flows.cli.reading_model import reader_key

__all__ = ["damaged_home", "reader_key", "whole"]


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    for name in ("MLAB_STORE", "MLFLOW_TRACKING_URI", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
