"""The local Prefect server: started once, shared, found again, stopped whole."""

from __future__ import annotations

import os
import re
import resource
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import psutil
import pytest

from environment.journal.lease import RunLease
from environment.store import Store
from flows.cli.commands import server as server_commands
from flows.cli.commands.server import tell_of_waiting_runs
from flows.errors import ServerError, UsageError
from flows.services.addresses import answers, free_port
from flows.services.password import credentials
from flows.services.processes import Service
from flows.services.server import api_url, connect, is_healthy, prefect_service
from flows.settings import Settings
from foundation.sizes import MiB
from tests.alone import as_root_alone
from tests.environment.training.journalled import write_run
from tests.small_disk import small_disk_at

ENSURE = (
    "from flows.services.server import prefect_service; from flows.settings import Settings;"
    " print(prefect_service(Settings()).ensure().pid)"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Service]:
    server = prefect_service(Settings(home=tmp_path))
    yield server
    server.stop()


def _serve(port: int) -> list[str]:
    return [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]


def files_served(folder: Path, command: Callable[[int], list[str]]) -> Service:
    """A service that starts at once."""
    return Service(
        name="The service",
        folder=folder,
        port=0,
        command=command,
        environment=lambda _: dict(os.environ),
        ready=lambda record: answers(record.url),
    )


@pytest.mark.slow
def test_four_at_once_share_one_server_and_stop_ends_it(server: Service, tmp_path: Path) -> None:
    environment = {**os.environ, "MLAB_HOME": str(tmp_path)}
    starters = [
        subprocess.Popen([sys.executable, "-c", ENSURE], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    pids = {process.communicate(timeout=240)[0] for process in starters}
    assert len(pids) == 1
    record = server.running()
    assert record is not None
    assert is_healthy(api_url(record.url))
    family = [psutil.Process(record.pid), *psutil.Process(record.pid).children(recursive=True)]

    assert server.stop()
    assert server.running() is None
    assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in family)
    assert not server.stop()


def test_a_record_of_a_reused_process_id_is_not_taken_for_the_server(server: Service, tmp_path: Path) -> None:
    folder = tmp_path / "prefect"
    folder.mkdir()
    (folder / "server.json").write_text(f'{{"pid": {os.getpid()}, "created": 1.0, "port": 1}}')
    assert server.running() is None
    assert not server.stop()


def test_a_torn_record_counts_as_none(server: Service, tmp_path: Path) -> None:
    (tmp_path / "prefect").mkdir()
    (tmp_path / "prefect" / "server.json").write_text('{"pid": 1')
    assert server.running() is None


def test_another_program_that_takes_the_port_meanwhile_is_not_taken_for_the_server(tmp_path: Path) -> None:
    others: list[HTTPServer] = []

    def command(port: int) -> list[str]:
        if not others:
            others.append(HTTPServer(("127.0.0.1", port), SimpleHTTPRequestHandler))
            threading.Thread(target=others[0].serve_forever, daemon=True).start()
        return _serve(port)

    service = files_served(tmp_path, command)
    try:
        assert service.ensure().port != others[0].server_port
    finally:
        service.stop()
        others[0].shutdown()
        others[0].server_close()


def test_a_server_is_shared_with_a_command_that_may_not_look_into_it(tmp_path: Path) -> None:
    begin = as_root_alone()
    service = files_served(tmp_path, _serve)
    look = (
        "import sys; from pathlib import Path; from flows.services.processes import recorded;"
        " print(recorded(Path(sys.argv[1])).listens())"
    )
    try:
        service.ensure()
        done = subprocess.run([*begin, sys.executable, "-c", look, str(tmp_path)], capture_output=True, text=True)
    finally:
        service.stop()
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_service_that_was_stopped_starts_where_links_lead_to(tmp_path: Path) -> None:
    service = files_served(tmp_path, _serve)
    ports = []
    for _ in range(2):
        ports.append(service.ensure().port)
        service.stop()
    assert ports[0] == ports[1]
    (tmp_path / "port").write_text("no number, as a full disk leaves it")
    assert answers(service.ensure().url)
    service.stop()


def test_a_server_that_finds_no_room_says_so_in_place_of_its_log(tmp_path: Path) -> None:
    with small_disk_at(tmp_path / "disk", "1m") as disk:
        service = prefect_service(Settings(home=disk))
        with pytest.raises(ServerError, match=f"cannot start: the disk of {disk}/prefect has 0.* MiB free") as raised:
            service.ensure()
    assert "Free some space there" in raised.value.hint
    assert "Traceback" not in str(raised.value)


def test_a_limit_on_the_size_of_files_is_told_in_place_of_a_servers_log(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    service = files_served(tmp_path, lambda _: ["false"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 * MiB, before[1]))
    try:
        with pytest.raises(ServerError, match=r"cannot start: no file may grow beyond 4\.0 MiB here") as raised:
            service.ensure()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "ulimit -f" in raised.value.hint
    with pytest.raises(ServerError, match="ended while it was starting"):
        service.ensure()


def test_a_configured_server_that_does_not_answer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{free_port(0)}/api")
    with pytest.raises(ServerError, match=r"No Prefect server answers at http://127\.0\.0\.1"):
        connect(Settings(home=tmp_path))


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1/api", "http://[", "http://"])
def test_what_is_no_address_of_a_server_is_refused_as_that(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", address)
    with pytest.raises(UsageError, match=f"PREFECT_API_URL is no URL of a server: {re.escape(address)}"):
        connect(Settings(home=tmp_path))


def test_a_new_home_is_its_owners_alone_and_one_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "above" / "home")
    credentials(settings)
    assert stat.S_IMODE(settings.home.stat().st_mode) == 0o700
    settings.home.chmod(0o755)
    settings.make_home()
    assert stat.S_IMODE(settings.home.stat().st_mode) == 0o755


def test_who_stops_it_is_told_which_runs_now_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    settings = Settings(home=tmp_path)
    store = Store(settings.store_url)
    for run_id in ("left-1", "working-2"):
        write_run(store, run_id, 1)
    with RunLease(store, "working-2"):
        tell_of_waiting_runs(settings)
        told = capsys.readouterr().err
        assert "A run is under way" in told
        assert "working-2" in told
        assert "left-1" not in told
    tell_of_waiting_runs(settings)
    assert capsys.readouterr().err == ""


def test_runs_that_wait_at_a_port_that_another_program_took_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path)
    monkeypatch.setenv("MLAB_HOME", str(tmp_path))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setattr(server_commands, "prefect_service", lambda _: files_served(tmp_path / "service", _serve))
    store, service = Store(settings.store_url), files_served(tmp_path / "service", _serve)
    write_run(store, "working-2", 1)
    port = service.ensure().port
    with RunLease(store, "working-2"):
        try:
            server_commands.start()
            assert capsys.readouterr().err == ""
            service.stop()
            with HTTPServer(("127.0.0.1", port), SimpleHTTPRequestHandler):
                server_commands.start()
        finally:
            service.stop()
    told = capsys.readouterr().err
    assert f"will wait in vain at port {port}" in told
    assert "mlab resume" in told


def test_a_server_whose_record_cannot_be_written_is_stopped_at_once(tmp_path: Path) -> None:
    marker = f"--directory={tmp_path}"
    with small_disk_at(tmp_path / "disk", "1m") as disk:
        service = files_served(disk, lambda port: [*_serve(port), marker])
        (disk / "ballast").write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize))
        with pytest.raises(OSError, match="No space left"):
            service.begin()
        left = [each for each in psutil.process_iter(["cmdline"]) if marker in (each.info["cmdline"] or ())]
        for process in left:
            process.kill()
            process.wait()
        assert not left
        assert service.running() is None
