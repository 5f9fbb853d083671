"""A sweep as a flow logs what its description says to no effect."""

from __future__ import annotations

import logging

import pytest
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from flows.errors import UsageError
from flows.sweep.flow import SweepParameters, sweep
from flows.sweep.spec import SweepSpec
from tests.conftest import AUTH


@pytest.mark.usefixtures("mlab_environment")
def test_an_exclusion_of_nothing_is_logged(prefect_server: str, caplog: pytest.LogCaptureFixture) -> None:
    spec = SweepSpec.model_validate(
        {
            "name": "s",
            "tasks": ["vectorization"],
            "agents": [{"agent": "react", "models": ["openai:gpt-4.1"]}],
            "exclude": [{"agent": "react", "seed": 5}],
            "money": 1,  # without a limit of each run it is refused, so that nothing is run
        }
    )
    server = {PREFECT_API_URL: prefect_server, PREFECT_API_AUTH_STRING: AUTH}
    logging.getLogger("prefect.flow_runs").addHandler(caplog.handler)
    try:
        with temporary_settings(server), pytest.raises(UsageError):
            sweep(SweepParameters(spec=spec))
    finally:
        logging.getLogger("prefect.flow_runs").removeHandler(caplog.handler)
    assert 'exclude: {"agent": "react", "seed": 5} matches no run of this sweep' in caplog.text
