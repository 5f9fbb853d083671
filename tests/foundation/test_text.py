"""What programs print, in whatever encoding."""

from __future__ import annotations

import pytest

from foundation.text import known_names, meant, text_of


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_outputs_are_read_in_the_encoding_they_have(encoding: str) -> None:
    assert text_of("accuracy: 0.91\nfertig, größer\n".encode(encoding)) == "accuracy: 0.91\nfertig, größer\n"


@pytest.mark.parametrize("odd", [b"", b"\xff", b"a\0", b"\0\0\0\0", b"loss: 0.5\0\0"])
def test_zero_bytes_alone_make_no_other_encoding(odd: bytes) -> None:
    assert text_of(odd) == odd.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("typed", "probably"),
    [("house-prise", "house-price"), ("Imdb", "imdb"), ("cifar1O", "cifar10"), ("my-own-task", None), ("", None)],
)
def test_a_slip_is_told_from_another_name(typed: str, probably: str | None) -> None:
    names = ["house-price", "imdb", "cifar10", "vectorization"]
    assert meant(typed, names) == (f"Did you mean {probably}? " if probably else "")


def test_a_hint_names_all_that_there_are() -> None:
    assert known_names("tunner", iter(["tuner", "nop"])) == "Did you mean tuner? Known: tuner, nop."
