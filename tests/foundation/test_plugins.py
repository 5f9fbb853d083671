from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from foundation import plugins
from foundation.plugins import BuiltIn, PluginError, PluginNotFoundError, Plugins

THINGS: Plugins[object] = Plugins(
    "things", {"join": BuiltIn("os.path:join", "joins paths"), "gone": BuiltIn("os.path:gone", "is not there")}
)


OFFERED = """[mlab.things]
split = os.path:split
join = os.path:split
bad = nowhere:x
"""


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "plugged-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(OFFERED)
    monkeypatch.syspath_prepend(tmp_path)


def test_what_is_built_in_is_found_by_name() -> None:
    import os.path

    assert THINGS.load("join") is os.path.join
    first, _ = THINGS.listing()
    assert (first.name, first.help, first.package) == ("join", "joins paths", None)


@pytest.mark.usefixtures("offered")
def test_a_package_adds_and_does_not_replace() -> None:
    import os.path

    assert THINGS.names() == ["join", "gone", "split", "bad"]
    assert THINGS.load("split") is os.path.split
    assert THINGS.load("join") is os.path.join
    assert THINGS.listing()[2].package == "plugged"


@pytest.mark.usefixtures("offered")
def test_packages_are_looked_through_for_who_asks_beyond_what_is_built_in(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def look(group: str) -> EntryPoints:
        looked.append(group)
        return EntryPoints()

    monkeypatch.setattr(plugins, "offered_in", look)
    assert "join" in THINGS
    assert next(THINGS.each())[0] == "join"
    assert looked == []
    assert "split" not in THINGS
    assert looked == ["mlab.things"]


@pytest.mark.usefixtures("offered")
def test_what_cannot_be_imported_names_the_entry_point() -> None:
    with pytest.raises(PluginError, match=r"'bad' of the things \(nowhere:x\) cannot be imported"):
        THINGS.load("bad")


def test_a_package_that_ends_the_process_as_it_is_imported_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("leaver", "leaving:x", "mlab.things")
    monkeypatch.setattr("foundation.plugins.offered_in", lambda group: EntryPoints([entry]))
    with pytest.raises(PluginError, match=r"'leaver' .* cannot be imported: SystemExit: 0 \(\S+leaving\.py, line 1"):
        THINGS.load("leaver")


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(PluginNotFoundError, match="None of the things is called 'jion'") as caught:
        THINGS.load("jion")
    assert caught.value.hint == "Did you mean join? Known: join, gone."
