"""Which cards there are, and which of them are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.gpus.cards import cards_here
from environment.gpus.choice import GpuChoice
from environment.gpus.driver import ROOT_VARIABLE, Driver
from environment.records.config import RunConfig
from tests.environment.gpus.fake_driver import card


@pytest.mark.usefixtures("two_cards")
def test_the_drivers_program_tells_of_the_cards() -> None:
    assert cards_here() == [card(0), card(1)]


def test_no_driver_no_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOT_VARIABLE, str(tmp_path))
    assert cards_here() == []


@pytest.mark.usefixtures("two_cards")
@pytest.mark.parametrize(
    ("given", "left"), [("1", [1]), ("GPU-fa4e-0", [0]), ("1,0", [1, 0]), ("", []), ("-1", []), ("NoDevFiles", [])]
)
def test_a_batch_system_gives_some_of_the_cards(given: str, left: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", given)
    assert [found.index for found in cards_here()] == left


@pytest.mark.parametrize("says", ["exit 9", "echo '<half'", "sleep 0; echo"])
def test_a_driver_that_does_not_work_has_no_cards(says: str, two_cards: Path) -> None:
    program = Driver(two_cards).program
    assert program is not None
    program.write_text(f"#!/bin/sh\n{says}\n")
    assert cards_here() == []


def test_a_card_split_into_instances_is_left_out(two_cards: Path) -> None:
    program = Driver(two_cards).program
    assert program is not None
    split = "<gpu><minor_number>0</minor_number><mig_mode><current_mig>Enabled</current_mig></mig_mode></gpu>"
    whole = "<gpu><minor_number>4</minor_number><uuid>GPU-4</uuid></gpu>"
    program.write_text(f"#!/bin/sh\necho '<log>{split}{whole}</log>'\n")
    assert [(found.index, found.minor) for found in cards_here()] == [(1, 4)]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("auto", GpuChoice()),
        ("none", GpuChoice(count=0)),
        ("2", GpuChoice(count=2)),
        ("id:0,2", GpuChoice(count=2, ids=("0", "2"))),
        ("id:GPU-fa4e-1", GpuChoice(count=1, ids=("GPU-fa4e-1",))),
    ],
)
def test_words_for_cards(text: str, choice: GpuChoice) -> None:
    assert GpuChoice.parse(text) == choice


@pytest.mark.parametrize("text", ["", "all", "-1", "id:", "id:0,", "0,1", "1.5"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no GPUs"):
        GpuChoice.parse(text)


def test_a_file_may_say_a_number_without_quotes() -> None:
    assert RunConfig.model_validate({"task": "imdb", "gpus": 1}).gpus == "1"


def test_cards_by_number_and_by_the_beginning_of_a_uuid() -> None:
    cards = [card(0), card(1)]
    assert GpuChoice.parse("id:1").among(cards) == [card(1)]
    assert GpuChoice.parse("id:GPU-fa4e-1,1").among(cards) == [card(1)]
    assert GpuChoice.parse("id:GPU-fa4e").among(cards) == []
    assert GpuChoice.parse("1").among(cards) == cards
