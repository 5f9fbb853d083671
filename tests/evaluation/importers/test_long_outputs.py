"""Outputs of a size that nobody can read whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers import long_outputs
from evaluation.importers.detect import Asked, read_logs
from tests.evaluation.importers.writing.lines import write_lines


def neutral(path: Path, output: str, say: str) -> Path:
    lines: list[dict[str, Any]] = [
        {"log": 1, "task": "toy"},
        {"do": "python train.py", "saw": output, "exit": 0},
        {"say": say},
    ]
    write_lines(path, lines)
    return path


def epochs(n: int) -> str:
    return "\n".join(f"epoch {i} validation accuracy {i / n:.6f}" for i in range(n))


def test_beginning_and_end_are_read_and_nothing_follows_from_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_outputs, "LONGEST", 4_000)
    notes: list[str] = []
    said = "Epoch 0 had a validation accuracy of 0.0. The final validation accuracy is 0.999. It reached 0.4561 once."
    path = neutral(tmp_path / "log.jsonl", epochs(1_000), said)
    (log,) = read_logs(path, asked=Asked(on_note=notes.append))
    (observation,) = [exchange.observation for step in log.steps for exchange in step.exchanges]
    assert "characters left out" in observation
    assert len(observation) < 4_100
    whole = re.compile(r"epoch \d+ validation accuracy \d\.\d{6}|\[output truncated: [\d,]+ characters left out\]")
    assert all(whole.fullmatch(line) for line in observation.splitlines())
    assert "1 output" in notes[0]
    verdicts = {claim.quote: claim.verdict for claim in audit(log)}
    assert Verdict.SUPPORTED in verdicts.values()
    assert not any(verdict.is_problem for verdict in verdicts.values())


@pytest.mark.timeout(60)
def test_a_comparison_of_very_long_curves_ends(tmp_path: Path) -> None:
    n = 30_000
    curve = "\n".join(f"epoch {i} validation loss {0.00001 + 1e-9 * (n - i):.9f}" for i in range(n))
    path = neutral(tmp_path / "log.jsonl", curve, "The validation loss fell to 0.00001.")
    (log,) = read_logs(path)
    assert audit(log)
