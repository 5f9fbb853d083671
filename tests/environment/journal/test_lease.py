from __future__ import annotations

import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from environment.errors import RunBusyError
from environment.journal import lease
from environment.journal.lease import Holder, RunLease, holder
from environment.store import RunKeys, Store, lease_key

KEYS = RunKeys(run_id="run")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


def put_holder(store: Store, generation: int, *, age: float, flow_run: str | None = None) -> None:
    beat = datetime.now(UTC) - timedelta(seconds=age)
    record = Holder(host="other", machine="another machine", pid=7, born=0, beat=beat, flow_run=flow_run)
    store.put_record(lease_key(KEYS.leases, generation), record)


def test_one_at_a_time(store: Store) -> None:
    with RunLease(store, "run") as held:
        found = holder(store, "run")
        assert found is not None
        with pytest.raises(RunBusyError, match=f"process {found.pid} on {found.host}"), RunLease(store, "run"):
            pass
        held.check()
    assert holder(store, "run") is None
    with RunLease(store, "run"):
        assert len(store.children(KEYS.leases)) == 1


def test_of_many_who_try_one_succeeds(store: Store) -> None:
    put_holder(store, 4, age=1_000)
    start, done, busy = threading.Barrier(6), threading.Barrier(6), []

    def work() -> None:
        start.wait()
        try:
            with RunLease(store, "run"):
                done.wait()
        except RunBusyError as error:
            busy.append(error)
            done.wait()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(busy) == 5


def test_another_machine_is_waited_for_until_it_falls_silent(store: Store) -> None:
    put_holder(store, 0, age=10)
    with pytest.raises(RunBusyError, match="process 7 on other"), RunLease(store, "run"):
        pass
    put_holder(store, 0, age=lease.STALE + 1)
    with RunLease(store, "run"):
        assert holder(store, "run") is not None


def test_a_retried_flow_run_does_not_wait_for_its_former_machine(store: Store) -> None:
    put_holder(store, 0, age=10, flow_run="retried")
    for other in (None, "another"):
        with pytest.raises(RunBusyError), RunLease(store, "run", other):
            pass
    with RunLease(store, "run", "retried"):
        taken = store.get_record(lease_key(KEYS.leases, 1), Holder)
        assert taken.flow_run == "retried"
        # Here a process id tells more than Prefect does.
        with pytest.raises(RunBusyError), RunLease(store, "run", "retried"):
            pass


def test_who_was_taken_over_learns_of_it(store: Store) -> None:
    with RunLease(store, "run") as held:
        put_holder(store, 1, age=0)
        with pytest.raises(RunBusyError, match="on other"):
            held.check()
    assert store.get_record(lease_key(KEYS.leases, 1), Holder).host == "other"
    assert not store.get_record(lease_key(KEYS.leases, 1), Holder).released


def test_a_torn_lease_holds_nobody_up(store: Store) -> None:
    store.put(lease_key(KEYS.leases, 3), b"{")
    with RunLease(store, "run") as held:
        held.check()


def test_life_is_signed_while_held(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "HEARTBEAT", 0.02)
    with RunLease(store, "run"):
        first = holder(store, "run")
        assert first is not None
        for _ in range(200):
            threading.Event().wait(0.02)
            last = holder(store, "run")
            assert last is not None
            if last.beat > first.beat:
                return
        pytest.fail("no second sign of life")


def test_a_killed_process_is_taken_over_at_once(store: Store) -> None:
    code = f"""
from environment.journal.lease import RunLease
from environment.store.objects import Store
with RunLease(Store({store.url!r}), "run"):
    print("held", flush=True)
    input()
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(RunBusyError, match=str(process.pid)), RunLease(store, "run"):
        pass
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with RunLease(store, "run"):
        pass
