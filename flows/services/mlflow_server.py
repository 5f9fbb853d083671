"""The MLflow server that shows the runs; the runs themselves write straight to the database."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from environment.journal.lease import holder
from environment.journal.runs import list_runs
from environment.mlflow.database import open_client
from environment.mlflow.mirror import sync_runs
from environment.store import Store
from flows.services.addresses import answers
from flows.services.password import ADMIN_NAME, ADMIN_PASSWORD, credentials
from flows.services.processes import Service
from flows.services.variables import QUIET
from flows.settings import LOOPBACK, Settings

PREFERRED_PORT = 5210
USERS = Path(__file__).with_name("mlflow_users.ini")


def start_mlflow(settings: Settings) -> str:
    """Start the MLflow server, or find it; returns its address.

    Runs that MLflow could not be shown while they went on are shown first.

    Raises:
        ServerError: It did not start.
    """
    open_client(settings.mlflow_uri)
    store = Store(settings.store_url)
    # A run that somebody works is shown by them.
    waiting = [run_id for run_id in list_runs(store) if holder(store, run_id) is None]
    sync_runs(settings.mlflow_uri, settings.layout.mlflow_artifacts, store, waiting)
    return mlflow_service(settings).ensure().url


def interface_of(settings: Settings) -> str | None:
    """The address at which people open MLflow, where a server shows it."""
    if settings.mlflow_uri.startswith("http"):
        return settings.mlflow_uri
    running = mlflow_service(settings).running()
    return running.url if running else None


def mlflow_service(settings: Settings) -> Service:
    """A lean MLflow server on the home folder's database."""
    layout = settings.layout
    return Service(
        name="The MLflow server",
        folder=layout.mlflow_database.parent,
        port=PREFERRED_PORT,
        command=lambda port: [
            *(
                sys.executable,
                "-m",
                "flows.services.mlflow_pages",
                "server",
                "--host",
                settings.host,
                "--port",
                str(port),
            ),
            *("--backend-store-uri", settings.mlflow_uri, "--workers", "1"),
            *("--default-artifact-root", layout.mlflow_artifacts.as_uri()),
            *("--app-name", "basic-auth"),
            # Who comes from elsewhere knows this machine by another name.
            *(("--allowed-hosts", "*") if settings.host != LOOPBACK else ()),
        ],
        environment=lambda _: {
            **os.environ,
            **QUIET,
            # The job runner takes two gigabytes, and nothing here uses it.
            "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
            **_protection(settings),
            "MLAB_HOST": settings.host,
        },
        ready=lambda record: answers(f"{record.url}/health"),
        host=settings.host,
    )


def _protection(settings: Settings) -> dict[str, str]:
    """The user that MLflow lets in; its own database keeps the password's hash."""
    user, _, password = credentials(settings).partition(":")
    return {
        "MLFLOW_AUTH_CONFIG_PATH": os.environ.get("MLFLOW_AUTH_CONFIG_PATH", str(USERS)),
        ADMIN_NAME: user,
        ADMIN_PASSWORD: password,
        "MLFLOW_FLASK_SERVER_SECRET_KEY": secrets.token_hex(),
    }
