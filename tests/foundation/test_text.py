"""What programs print, in whatever encoding."""

from __future__ import annotations

import pytest

from foundation.text import text_of


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_outputs_are_read_in_the_encoding_they_have(encoding: str) -> None:
    assert text_of("accuracy: 0.91\nfertig, größer\n".encode(encoding)) == "accuracy: 0.91\nfertig, größer\n"


@pytest.mark.parametrize("odd", [b"", b"\xff", b"a\0", b"\0\0\0\0", b"loss: 0.5\0\0"])
def test_zero_bytes_alone_make_no_other_encoding(odd: bytes) -> None:
    assert text_of(odd) == odd.decode("utf-8", "replace")
