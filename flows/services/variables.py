"""Variables that must be set before Prefect and MLflow are imported."""

from __future__ import annotations

import os

from flows.services.password import credentials
from flows.settings import Settings

QUIET = {
    "DO_NOT_TRACK": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    # The v2 interface calls a third party from the browser even when analytics are off.
    "PREFECT_SERVER_UI_V2_ENABLED": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
}
"""Nothing phones home."""

HEARTBEAT_SECONDS = 30
"""Between a flow run's signs of life; a run that is silent for longer than twice that is taken for dead."""

CLIENT = {
    "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": str(HEARTBEAT_SECONDS),
    # 2, 4, 8 … seconds apart: a server may be away, or without its database (500), for a quarter of an hour.
    "PREFECT_CLIENT_MAX_RETRIES": "9",
    "PREFECT_CLIENT_RETRY_EXTRA_CODES": "500",
    # What fails is said by the command itself; Prefect keeps the tracebacks with the run.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_HANDLERS_DEBUG_LEVEL": "CRITICAL",  # while the server is away, each event that it cannot be told
}


CALM = {
    "PREFECT_SERVER_SERVICES_SCHEDULER_RECENT_DEPLOYMENTS_LOOP_SECONDS": "30",
    "PREFECT_SERVER_SERVICES_LATE_RUNS_LOOP_SECONDS": "30",
    "PREFECT_SERVER_SERVICES_PAUSE_EXPIRATIONS_LOOP_SECONDS": "30",
    "PREFECT_SERVER_SERVICES_CLEANUP_RECONCILER_LOOP_SECONDS": "60",
    "PREFECT_SERVER_SERVICES_REPOSSESSOR_LOOP_SECONDS": "30",
    "PREFECT_SERVER_SERVICES_FOREMAN_LOOP_SECONDS": "30",
    "PREFECT_SERVER_SERVICES_CANCELLATION_CLEANUP_LOOP_SECONDS": "30",
    "PREFECT_SERVER_EVENTS_PROACTIVE_GRANULARITY": "PT15S",
}
"""How often a local server looks after what it has seldom or never: as shipped, every few seconds, for ever."""


UNCHECKED = {
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
    "PY_KEY_VALUE_DISABLE_BEARTYPE": "true",
}
"""What libraries would look for among all installed packages, or check at each call, and a local server never needs."""


DATABASE_VARIABLE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"
"""Leads to another database than SQLite in the home folder, such as ``postgresql+asyncpg://…``."""

OWN_DATABASE = {
    "PREFECT_SERVER_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
    "PREFECT_SERVER_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false",
}
"""What Prefect leaves undone as it begins: ``prefect_changes`` does it, once a version."""


def configure_process(settings: Settings) -> None:
    """Make the home folder, and set this process's variables for Prefect and MLflow; what the user set stays."""
    settings.make_home()
    for name, value in {**QUIET, **CLIENT}.items():
        os.environ.setdefault(name, value)
    os.environ.setdefault("PREFECT_HOME", str(settings.layout.prefect))


def server_environment(settings: Settings, port: int) -> dict[str, str]:
    """The variables of a local Prefect server on ``port``."""
    layout = settings.layout
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_API")}
    return {
        **CALM,
        **UNCHECKED,
        **inherited,
        **({} if DATABASE_VARIABLE in os.environ else OWN_DATABASE),
        **QUIET,
        "MLAB_HOST": settings.host,
        "PREFECT_HOME": str(layout.prefect),
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_SERVER_API_HOST": settings.host,
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
        # In memory, as shipped, a restart forgets who holds the slots of a limit, and they are never free again.
        "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
        "PREFECT_SERVER_API_AUTH_STRING": credentials(settings),
        # As shipped, the pages of every site may ask.
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"http://{settings.host}:{port}",
        # A browser may know this machine by another name.
        "PREFECT_SERVER_UI_API_URL": "/api",
    }
