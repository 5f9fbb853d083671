"""The live view, on a terminal that is a file."""

from __future__ import annotations

import io
import time
from pathlib import Path

from rich.console import Console

from agent.commands import execute_script
from environment.gpus.card import CardSample
from environment.records import Decision
from flows.cli.live import LiveView
from flows.settings import Settings
from tests.environment.gpus.fake_driver import card


def test_it_shows_how_busy_the_cards_are(tmp_path: Path) -> None:
    drawn = io.StringIO()
    with LiveView(Settings(home=tmp_path), Console(file=drawn, force_terminal=True, width=120)) as view:
        view.decided(0, Decision(action=execute_script("train.py")))
        view.sampled(card(0), CardSample(seconds=0.1, utilisation=12.0))
        view.sampled(card(0), CardSample(seconds=0.3, utilisation=37.0))
        view.sampled(card(1), CardSample(seconds=0.3))
        time.sleep(0.5)
    assert "GPU 0 37 %" in drawn.getvalue().replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "GPU 1" not in drawn.getvalue()
