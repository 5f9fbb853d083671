"""Fixtures that all rooms share: one real Prefect server for the whole session, and a home folder a test."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from flows.services.server import api_url, prefect_service
from flows.settings import Settings
from tests import docker_daemon as docker


def pytest_configure() -> None:
    """Let what tests start hear SIGINT, which a test run in the background ignores and would hand down."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _shared_folder(factory: pytest.TempPathFactory, config: pytest.Config) -> Path:
    base = factory.getbasetemp()
    return base.parent if hasattr(config, "workerinput") else base


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """A folder that all workers of this session see."""
    return _shared_folder(tmp_path_factory, pytestconfig)


AUTH = "mlab:password-of-the-tests"
"""What the session's Prefect server asks for."""


@pytest.fixture(scope="session")
def server_settings(shared_folder: Path) -> Settings:
    """Where the session's Prefect server lives."""
    return Settings(home=shared_folder / "mlab-server", store=None, auth=SecretStr(AUTH))


@pytest.fixture(scope="session")
def prefect_server(server_settings: Settings, shared_folder: Path) -> str:
    """The API address of the session's Prefect server; the first test that asks starts it."""
    (shared_folder / "server-home").write_text(str(server_settings.home))
    return api_url(prefect_service(server_settings).ensure().url)


def make_home(folder: Path, shared: Path) -> Path:
    """A home folder with task data that is shared and prepared once."""
    home = folder / "home"
    home.mkdir()
    for name in ("data", "downloads"):
        (shared / name).mkdir(exist_ok=True)
        (home / name).symlink_to(shared / name)
    return home


ONE_AUTHORITY = dict.fromkeys(
    ("SSL_CERT_FILE", "PREFECT_API_SSL_CERT_FILE"), str(Path(__file__).with_name("authority.pem"))
)
"""Whose certificates a client reads as it is made, of servers without any, too: all authorities' take it 0.03 s."""


def variables_of(home: Path, prefect_server: str, auth: str = AUTH) -> dict[str, str]:
    """What makes a process work in a home folder, on the session's server or another one."""
    server = {"PREFECT_API_URL": prefect_server, "PREFECT_API_AUTH_STRING": auth}
    return {"MLAB_HOME": str(home), "PREFECT_HOME": str(home / "prefect"), **server, **ONE_AUTHORITY}


@contextmanager
def connected_to(server: str, auth: str = AUTH) -> Iterator[None]:
    """Have Prefect in this process ask a server; it has read the variables when it was imported, by whichever test."""
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: server, PREFECT_API_AUTH_STRING: auth}):
        yield


@pytest.fixture
def home(tmp_path: Path, shared_folder: Path) -> Path:
    """A home folder of the test's own."""
    return make_home(tmp_path, shared_folder)


@pytest.fixture
def mlab_environment(home: Path, prefect_server: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This process, and what it starts, work in the test's home on the session's server."""
    for name, value in variables_of(home, prefect_server).items():
        monkeypatch.setenv(name, value)
    for name in ("MLAB_STORE", "MLFLOW_TRACKING_URI"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(scope="session")
def docker_daemon() -> Iterator[None]:
    """A daemon: the one that answers already, else one of this session's own, where that can be."""
    with docker.docker_daemon():
        yield


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the server that the tests started, once all workers have ended."""
    if hasattr(session.config, "workerinput"):
        return
    factory = getattr(session.config, "_tmp_path_factory", None)
    marker = factory.getbasetemp() / "server-home" if factory else None
    if marker is not None and marker.exists():
        prefect_service(Settings(home=Path(marker.read_text()))).stop()
