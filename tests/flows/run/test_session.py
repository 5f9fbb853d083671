"""What a step of a run leaves on the disk, and when."""

from __future__ import annotations

import os
import threading

import pytest

from agent.commands import execute_script
from environment.records import Decision, RunConfig
from flows.run.opening import open_session
from tests.flows.command import SLOPE


@pytest.mark.usefixtures("mlab_environment")
def test_what_a_script_left_goes_to_the_disk_with_the_rest_of_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session(RunConfig(task=str(SLOPE), agent="nop", sandbox="bubblewrap"), None)
    decision = Decision(action=execute_script("train.py"))
    session.decide(0)
    waited, fsync = list[threading.Thread](), os.fsync

    def record(handle: int) -> None:
        waited.append(threading.current_thread())
        fsync(handle)

    try:
        with monkeypatch.context() as recorded:
            recorded.setattr(os, "fsync", record)
            effect = session.act(0, decision)
    finally:
        session.close()
    assert effect.training_run is not None
    assert waited
    assert threading.current_thread() not in waited
