"""A kind of sandbox of one's own: one file and one line, and everything that asks for a kind knows it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from environment.errors import SandboxUnavailableError
from environment.sandbox import kinds, open_sandbox, refuse_unsafe
from environment.sandbox.backends import SANDBOXES
from environment.sandbox.conformance.__main__ import main
from flows.cli.commands.listing import list_plugins
from foundation.plugins import BuiltIn

FILE = """
from environment.sandbox.backends import Backend
from environment.sandbox.bubblewrap import BubblewrapSandbox
from environment.sandbox.leftovers import held_processes


class OwnSandbox(BubblewrapSandbox):
    name = "own"


OWN = Backend(open=lambda setup: OwnSandbox(setup.cards), held=held_processes)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_sandbox.py").write_text(FILE)
    monkeypatch.syspath_prepend(tmp_path)
    line = {"own": BuiltIn("own_sandbox:OWN", "bubblewrap under another name")}
    monkeypatch.setattr(SANDBOXES, "built_in", {**SANDBOXES.built_in, **line})


@pytest.mark.usefixtures("own")
def test_a_kind_of_one_s_own_is_opened_listed_and_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_sandbox("own", label="test").name == "own"
    assert "own" in kinds()
    list_plugins("sandboxes", as_json=True)
    assert "own" in [line["name"] for line in json.loads(capsys.readouterr().out)]
    monkeypatch.setattr(sys, "argv", ["conformance", "own", "files.readonly_data"])
    assert main() == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "passed"


def test_an_unknown_kind_is_told_with_the_known_ones() -> None:
    with pytest.raises(SandboxUnavailableError, match="No kind of sandbox is called 'dokcer'") as caught:
        refuse_unsafe("dokcer", unsafe=False)
    assert "bubblewrap" in caught.value.hint


def test_a_kind_that_protects_nothing_is_asked_for_in_words() -> None:
    with pytest.raises(SandboxUnavailableError, match="Without a sandbox"):
        open_sandbox("none", label="test")
