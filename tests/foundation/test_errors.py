from __future__ import annotations

from foundation.errors import MlabError


def test_what_no_utf_8_can_hold_is_said_escaped() -> None:
    error = MlabError("no file \udcff", hint="mend \ud800")
    assert str(error) == "no file \\udcff\nmend \\ud800"
    assert error.sentence.encode()
