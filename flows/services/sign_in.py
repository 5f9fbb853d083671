"""A page by which the owner's browser learns the password of Prefect's pages."""

from __future__ import annotations

from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

SIGN_IN = "/sign-in"
_PAGE = """<!doctype html><title>Signing in</title><script>
localStorage.setItem("prefect-password", btoa(decodeURIComponent(location.hash.slice(1))));
localStorage.setItem("prefect-v2-promo-dismissed", "true");
location.replace("/");
</script>"""
"""What stands behind the # stays in the browser; Prefect's pages look for the password under this name.

The pages that Prefect would offer in place of these call a third party.
"""


class SignIn:
    """An application with one page more, which is opened as ``/sign-in#user:password``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve."""
        is_ours = scope["type"] == "http" and scope["path"] == SIGN_IN
        await (HTMLResponse(_PAGE) if is_ours else self._app)(scope, receive, send)
