"""Opening MLflow from this process: quietly, with bounded patience, on a database that eight can start at once."""

from __future__ import annotations

import logging
import os
import re
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from foundation.locks import locked
from foundation.ready_made import ReadyMade

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_SQLITE = "sqlite:///"
_OTHER_SCHEMA = re.compile(r"out-of-date database schema \(found version (\w+)")
_UNREACHED = re.compile(r"Caused by (NewConnection|NameResolution|ConnectTimeout)Error")
_CONNECT_SECONDS = 2.0
NOTHING_ANSWERS = "nothing answers there"
_QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "DO_NOT_TRACK": "true",
    # As shipped, one call to a dead server takes minutes.
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
}


def open_client(uri: str) -> MlflowClient:
    """A client of the MLflow store or server at ``uri``; a new SQLite database is made ready first.

    Raises:
        mlflow.exceptions.MlflowException, OSError, sqlite3.Error: It cannot be reached or made.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    from mlflow import MlflowClient

    # Migrations and tries at a server are logged line by line, and what fails with its traceback, at a person's
    # terminal; who asks tells of a failure in words.
    logging.getLogger("mlflow.store.db.utils").setLevel(logging.CRITICAL)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    path = database_path(uri)
    if path is None:
        return MlflowClient(tracking_uri=uri)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Processes that migrate one fresh database at once leave it broken for good.
    with locked(path.with_name(f"{path.name}.lock")):
        ready_made = ReadyMade("mlflow")
        is_new = not ready_made.lay(path) and not path.exists()
        client = MlflowClient(tracking_uri=uri)
        client.search_experiments(max_results=1)
        if is_new:
            ready_made.keep(path, without=("experiments",))  # the first one knows a folder of this process
        with closing(sqlite3.connect(path)) as connection:
            # Readers and a writer at the same time; kept in the file.
            connection.execute("PRAGMA journal_mode=WAL")
    return client


def is_of_this_version(path: Path) -> bool:
    """Whether MLflow as it is installed made a database or brought it up to date: known without loading MLflow."""
    return ReadyMade("mlflow").agrees(path, "alembic_version")


def explained(uri: str, error: Exception) -> str:
    """Why MLflow at ``uri`` cannot be used, and what to do, as far as its error tells."""
    text = str(error).strip()
    if _UNREACHED.search(text):
        return NOTHING_ANSWERS
    found = _OTHER_SCHEMA.search(text)
    if found is None:
        return text.partition("\n")[0] or type(error).__name__
    return (
        f"the database {database_path(uri) or uri} has the schema of another MLflow ({found[1]}); keep a copy of it, "
        f"then run mlflow db upgrade {uri}, or, where it is of a newer MLflow, pip install -U mlflow"
    )


def database_path(uri: str) -> Path | None:
    """The file behind a SQLite URI; ``None`` for any other store."""
    return Path(unquote(uri.removeprefix(_SQLITE))).absolute() if uri.startswith(_SQLITE) else None


def is_server(uri: str) -> bool:
    """Whether the URI names a tracking server, which decides itself where artifacts go."""
    return uri.startswith(("http://", "https://", "databricks"))


def refuses(uri: str) -> bool:
    """Whether nothing listens where the URI says that a server is; false where that cannot be known at once."""
    if not is_server(uri):
        return False
    from urllib.request import getproxies, proxy_bypass

    try:
        parts = urlsplit(uri)
        host, proxies = parts.hostname, getproxies()
        if host is None or (parts.scheme in proxies and not proxy_bypass(host)):
            return False
        with socket.create_connection((host, parts.port or (443 if parts.scheme == "https" else 80)), _CONNECT_SECONDS):
            return False
    except ConnectionRefusedError:
        return True
    except (OSError, ValueError):
        return False


def local_folder(uri: str) -> Path | None:
    """The folder that artifacts of that URI lie in; ``None`` where they go elsewhere."""
    from urllib.request import url2pathname

    parts = urlsplit(uri)
    return Path(url2pathname(parts.path)) if parts.scheme in ("", "file") else None


def search_runs(client: MlflowClient, experiment: str, tag: str, value: str) -> list[Run]:
    """All runs of an experiment that carry a tag with that value."""
    found: list[Run] = []
    token = None
    while True:
        page = client.search_runs([experiment], f"tags.`{tag}` = '{value}'", max_results=1_000, page_token=token)
        found += page
        token = page.token
        if not token:
            return found
