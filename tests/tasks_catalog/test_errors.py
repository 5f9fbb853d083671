from __future__ import annotations

import pytest

from foundation.errors import MlabError


@pytest.mark.parametrize(
    ("message", "hint", "sentence"),
    [
        ("there is no key", "set KEY", "there is no key; set KEY"),
        ("No run.", "mlab show lists them.", "No run. mlab show lists them."),
        ("it cannot be fetched (away)", "Check the network.", "it cannot be fetched (away). Check the network."),
        ("it is so", "", "it is so"),
    ],
)
def test_message_and_hint_are_told_apart_on_one_line(message: str, hint: str, sentence: str) -> None:
    assert MlabError(message, hint=hint).sentence == sentence
