"""A finished run that several tests look at, made once a worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

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
    home = make_home(tmp_path_factory.mktemp("undisturbed"), shared_folder)
    environment = variables_of(home, prefect_server)
    result = mlab_json(*TUNER, env=environment)
    return Finished(home, result, trajectory(str(result["run_id"]), environment))
