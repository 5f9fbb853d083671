"""A signal to stop is heard whoever handles it, and Prefect's clients give up soon from then on."""

from __future__ import annotations

import logging
import os
import signal
import time

import pytest
from prefect.context import get_settings_context

from flows.run.stopping import RETRIES_ONCE_STOPPED, soon_given_up


@pytest.mark.parametrize(("number", "stops"), [(signal.SIGTERM, True), (signal.SIGHUP, True), (signal.SIGUSR1, False)])
def test_a_signal_to_stop_is_heard_beside_any_handler(
    number: signal.Signals, stops: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = get_settings_context().settings.client
    monkeypatch.setattr(client, "max_retries", 9)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    told: list[int] = []
    before = signal.signal(number, lambda *_: None)
    try:
        with soon_given_up(lambda: told.append(number)) as stopped:
            signal.raise_signal(number)
            signal.raise_signal(number)
            assert stopped.wait(5 if stops else 0.2) is stops
    finally:
        signal.signal(number, before)
    assert told == [number] * stops
    assert client.max_retries == (RETRIES_ONCE_STOPPED if stops else 9)
    assert logging.raiseExceptions is not stops
    assert signal.set_wakeup_fd(-1) == -1


def test_a_copy_of_this_process_does_not_keep_it_from_going_on() -> None:
    begun = time.monotonic()
    with soon_given_up(lambda: None):
        child = os.fork()
        if not child:
            time.sleep(10)
            os._exit(0)
    took = time.monotonic() - begun
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert took < 5


def test_what_a_copy_of_this_process_is_told_to_do_is_not_taken_for_a_signal_to_stop_this_one() -> None:
    with soon_given_up(lambda: None) as stopped:
        child = os.fork()
        if not child:
            signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
            time.sleep(10)
            os._exit(1)
        time.sleep(0.3)
        os.kill(child, signal.SIGTERM)
        assert os.waitpid(child, 0)[1] == 0
        assert not stopped.wait(0.3)
