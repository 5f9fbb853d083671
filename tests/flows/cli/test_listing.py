from __future__ import annotations

import json

import pytest

from flows.cli.commands.listing import REGISTRIES, list_plugins
from flows.errors import UsageError


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_kind_is_listed_and_every_line_leads_somewhere(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    list_plugins(kind, as_json=True)
    listed = json.loads(capsys.readouterr().out)
    assert listed
    assert all(line["help"] and REGISTRIES[kind].load(line["name"]) is not None for line in listed)
    list_plugins(kind, as_json=False)
    assert f"mlab.{kind}" in capsys.readouterr().out


def test_an_unknown_kind_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="no sheep"):
        list_plugins("sheep", as_json=True)
