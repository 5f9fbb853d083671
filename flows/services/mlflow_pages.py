"""MLflow's server, which answers no page but its own.

As shipped, it also answers the pages of every other server of this machine, whoever runs it.

Run as ``python -m flows.services.mlflow_pages server …``, with the options of ``mlflow server``.
"""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flows.services.own_pages import OwnPages
from flows.services.password import ADMIN_NAME, ADMIN_PASSWORD
from flows.services.sign_in import SIGN_IN
from flows.settings import Settings

if TYPE_CHECKING:
    from mlflow.server.auth.sqlalchemy_store import SqlAlchemyStore

_APP = "flows.services.mlflow_pages:create_app"
_LEAD_ON = """<!doctype html><title>Signing in</title><script>
for (const [name, value] of [["workflowType", "machine_learning"], ["assistant.fab.autoOpenedOnFirstLoad", true]]) {
  const key = `mlflow.${name}_v1`;
  if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(value));
}
location.replace(`${location.protocol}//${location.host}/#/experiments`);
</script>"""
"""Begins where runs are looked for, not among charts of calls and an assistant; what somebody has chosen stays."""


def create_app() -> ASGIApp:
    """MLflow's application with passwords, kept to its own pages; for uvicorn."""
    from mlflow.server import auth

    pages = auth.create_app()
    let_in(auth.store, os.environ[ADMIN_NAME], os.environ[ADMIN_PASSWORD])
    return OwnPages.listening_on(Settings().host, SignIn(pages))


class SignIn:
    """Leads a browser that is let in on to the list of experiments, by an address without the password.

    A page whose address holds one may not ask its own server for anything: so browsers have it. Asked for first, with
    the password in the address, this one has the browser keep it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the first page would, but lead on to it where it would be shown."""
        if scope["type"] != "http" or scope["path"] != SIGN_IN:
            await self._app(scope, receive, send)
            return
        is_let_in = False

        async def answer(message: Message) -> None:
            nonlocal is_let_in
            if message["type"] == "http.response.start":
                is_let_in = message["status"] == HTTPStatus.OK
            if not is_let_in:
                await send(message)

        await self._app({**scope, "path": "/", "raw_path": b"/"}, receive, answer)
        if is_let_in:
            await HTMLResponse(_LEAD_ON)(scope, receive, send)


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
