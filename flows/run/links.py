"""Where else a run can be looked at."""

from __future__ import annotations

from flows.run.session import RunSession
from flows.services.mlflow_server import interface_of


def links_of(session: RunSession) -> dict[str, str]:
    """Addresses of the run in MLflow, where a server shows it, and of its report on the machine that ran it."""
    settings = session.run.settings
    report = settings.layout.report_of(session.run.run_id).absolute() / "report.html"
    links = {"Report": report.as_uri()} if report.exists() else {}
    server = interface_of(settings)
    if server and session.mirror.shown_as:
        links["MLflow"] = f"{server.rstrip('/')}/#/{session.mirror.shown_as}"
    return links
