"""A format of a package of one's own: a suffix that no other format has, found in folders and when named."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.claims.audit import audit
from evaluation.importers.detect import read_logs
from evaluation.importers.errors import LogError

FORMAT = """
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import command_action
from evaluation.record.log import Exchange, LogStep, RunLog


def read(found: Found) -> RunLog:
    lines = (line.split(" | ") for line in found.path.read_text().splitlines())
    steps = [
        LogStep(prose={"text": prose}, exchanges=(Exchange(action=command_action(command), observation=output),))
        for prose, command, output in lines
    ]
    return RunLog(source=found.source, steps=tuple(steps))


BARRED = Importer(
    recognises=lambda found: found.suffix == ".barred",
    read=lambda found: iter([read(found)]),
    has_marked_prose=True,
    suffixes=(".barred",),
)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "package"
    info = folder / "barred-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: barred\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mlab.importers]\nbarred = barred_logs:BARRED\n")
    (folder / "barred_logs.py").write_text(FORMAT)
    monkeypatch.syspath_prepend(folder)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("named", [True, False], ids=["named", "in a folder"])
def test_a_package_reads_files_of_its_own_suffix(tmp_path: Path, named: bool) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "one.barred").write_text("I run it. | python train.py | accuracy: 0.81\nDone. | true | \n")
    (log,) = read_logs(logs / "one.barred" if named else logs)
    assert [step.prose["text"] for step in log.steps] == ["I run it.", "Done."]
    assert log.steps[0].exchanges[0].observation == "accuracy: 0.81"


def test_who_has_a_log_of_no_known_format_is_shown_one_that_is_read(tmp_path: Path) -> None:
    other = tmp_path / "spans.json"
    other.write_text('{"resourceSpans": []}')
    with pytest.raises(LogError) as raised:
        list(read_logs(other))
    shown = tmp_path / "run.jsonl"
    shown.write_text("\n".join(line for line in (raised.value.hint or "").splitlines() if line.startswith("  {")))
    (log,) = read_logs(shown)
    assert [claim.verdict.value for claim in audit(log)] == ["supported"]
