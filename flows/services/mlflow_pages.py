"""MLflow's server, which answers no page but its own.

As shipped, it also answers the pages of every other server of this machine, whoever runs it.

Run as ``python -m flows.services.mlflow_pages server …``, with the options of ``mlflow server``.
"""

from __future__ import annotations

from starlette.types import ASGIApp

from flows.services.own_pages import OwnPages
from flows.settings import Settings

_APP = "flows.services.mlflow_pages:create_app"


def create_app() -> ASGIApp:
    """MLflow's application with passwords, kept to its own pages; for uvicorn."""
    from mlflow.server.auth import create_app as with_passwords

    return OwnPages.listening_on(Settings().host, with_passwords())


def main() -> None:
    """Serve until terminated."""
    from mlflow import cli, server

    vars(server)["_find_app"] = lambda _: _APP
    cli.cli()


if __name__ == "__main__":
    main()
