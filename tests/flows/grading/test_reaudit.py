"""Many runs' claims are read anew through a real Prefect server, on processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.journal.tables import read_table
from environment.store import RunKeys, Store
from evaluation.importers.detect import read_logs
from evaluation.importers.records import import_log
from flows.cli.commands.reaudit import _part
from flows.errors import UsageError
from tests.conftest import make_home, variables_of
from tests.evaluation.importers.logs import LIE, WRITERS
from tests.flows.command import mlab_json


def test_the_claims_of_runs_are_read_anew_and_kept(tmp_path: Path, shared_folder: Path, prefect_server: str) -> None:
    home = make_home(tmp_path, shared_folder)
    store = Store(str(home / "store"))
    ids = []
    for harness in ("compact", "neutral", "aide"):
        (log,) = read_logs(WRITERS[harness](tmp_path / harness))
        ids.append(import_log(store, log).run_id)
        store.delete(RunKeys(run_id=ids[-1]).table("claims"))
    done = mlab_json("reaudit", env=variables_of(home, prefect_server))
    assert (done["runs"], done["failed"]) == (3, {})
    assert sum(done["claims"].values()) >= 6
    for run_id in ids:
        assert any(row["quote"] == LIE for row in read_table(store, run_id, "claims"))


@pytest.mark.parametrize("written", ["", "3", "0/2", "3/2", "1/0", "a/b", "-1/2"])
def test_what_is_no_part_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match="no part of the runs"):
        _part(written)
