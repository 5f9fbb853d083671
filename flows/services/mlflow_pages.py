"""MLflow's server, which answers no page but its own.

As shipped, it also answers the pages of every other server of this machine, whoever runs it.

Run as ``python -m flows.services.mlflow_pages server …``, with the options of ``mlflow server``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from flows.services.own_pages import OwnPages
from flows.settings import Settings

if TYPE_CHECKING:
    from mlflow.server.auth.sqlalchemy_store import SqlAlchemyStore

ADMIN_NAME, ADMIN_PASSWORD = "MLFLOW_AUTH_ADMIN_USERNAME", "MLFLOW_AUTH_ADMIN_PASSWORD"
"""Variables by which MLflow is told of its first user."""

_APP = "flows.services.mlflow_pages:create_app"


def create_app() -> ASGIApp:
    """MLflow's application with passwords, kept to its own pages; for uvicorn."""
    from mlflow.server import auth

    pages = auth.create_app()
    let_in(auth.store, os.environ[ADMIN_NAME], os.environ[ADMIN_PASSWORD])
    return OwnPages.listening_on(Settings().host, pages)


def let_in(users: SqlAlchemyStore, name: str, password: str) -> None:
    """Make one administrator the only one, with this password: MLflow keeps those of its first start for good."""
    if not users.authenticate_user(name, password):
        users.update_user(name, password=password, is_admin=True)
    for user in users.list_users():
        if user.is_admin and user.username != name:
            users.delete_user(user.username)


def main() -> None:
    """Serve until terminated."""
    from mlflow import cli, server

    vars(server)["_find_app"] = lambda _: _APP
    cli.cli()


if __name__ == "__main__":
    main()
