"""A finished run that several tests look at, made once; each worker has a copy of its home."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from filelock import FileLock

from tests.conftest import make_home, variables_of
from tests.flows.command import TUNER, mlab_json, trajectory


class Finished(NamedTuple):
    """A run of the tuner that nobody disturbed."""

    home: Path
    result: dict[str, Any]
    steps: list[dict[str, Any]]

    @property
    def run_id(self) -> str:
        return str(self.result["run_id"])


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, shared_folder: Path, prefect_server: str) -> Finished:
    """The run, in a home that this worker's tests may change."""
    made, result = shared_folder / "undisturbed", shared_folder / "undisturbed.json"
    with FileLock(shared_folder / "undisturbed.lock"):
        if not result.exists():
            made.mkdir()
            found = mlab_json(*TUNER, env=variables_of(make_home(made, shared_folder), prefect_server))
            result.write_text(json.dumps(found))
    home = tmp_path_factory.mktemp("undisturbed") / "home"
    shutil.copytree(made / "home", home, symlinks=True)
    known = json.loads(result.read_text())
    return Finished(home, known, trajectory(known["run_id"], variables_of(home, prefect_server)))
