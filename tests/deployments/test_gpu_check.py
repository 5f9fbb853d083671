"""The bundle for a GPU machine: what goes into it, how it is cut, and how its check tells scores apart."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deployments.gpu_check.bundle import DISTRIBUTION, EXTRAS, needed, pack
from deployments.gpu_check.check import spreads


def test_what_is_there_already_is_not_fetched() -> None:
    names = needed(DISTRIBUTION, EXTRAS, set(), "3.12")
    assert {"prefect", "mlflow", "pydantic", "sqlalchemy", "torch"} <= set(names)
    assert "pytest" not in names
    assert "torch" not in needed(DISTRIBUTION, EXTRAS, {"torch"}, "3.12")


def test_parts_joined_are_the_whole(tmp_path: Path) -> None:
    bundle, other = tmp_path / "bundle", tmp_path / "other"
    (bundle / "wheels").mkdir(parents=True)
    other.mkdir()
    (bundle / "wheels" / "a.whl").write_bytes(bytes(range(256)) * 1_000)
    pack(bundle, 100_000)
    parts = sorted(bundle.glob("part-*"))
    assert [part.name for part in parts] == ["part-01", "part-02", "part-03"]
    assert max(part.stat().st_size for part in parts) == 100_000
    subprocess.run(f"cat {bundle}/part-* | tar x -C {other}", shell=True, check=True)
    assert (other / "wheels" / "a.whl").read_bytes() == (bundle / "wheels" / "a.whl").read_bytes()


@pytest.mark.parametrize(("score", "told"), [(0.363, "+0.2"), (0.355, "+0.0"), (0.1, "-6.4 (outside)"), (None, "")])
def test_a_score_outside_the_stated_spread_is_told(score: float | None, told: str) -> None:
    assert spreads(score, {"mean": 0.355, "std": 0.04}) == told
