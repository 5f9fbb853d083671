"""The password of this home folder's servers: given by the user, or made when the first of them starts."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from flows.errors import ServerError
from flows.settings import Settings

USER = "mlab"
ADMIN_NAME, ADMIN_PASSWORD = "MLFLOW_AUTH_ADMIN_USERNAME", "MLFLOW_AUTH_ADMIN_PASSWORD"
"""Variables by which MLflow is told of its first user."""
_BYTES = 24


def credentials(settings: Settings) -> str:
    """``user:password`` that the local servers ask for: ``MLAB_AUTH``, else that of the home folder.

    Raises:
        ServerError: The home folder's cannot be read or made.
    """
    if settings.auth is not None:
        return settings.auth.get_secret_value()
    path = settings.layout.password
    try:
        if not path.exists():
            settings.make_home()
            _make(path)
        path.chmod(0o600)
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ServerError(f"The password of the local servers, {path}, cannot be used: {error}") from error
    if not kept.partition(":")[2]:
        raise ServerError(
            f"{path} holds no user:password.", hint="Delete it and run `mlab ui --stop`; it is made anew."
        )
    return kept


def _make(path: Path) -> None:
    """Put a new password there, whole from the first instant; of several who do so at once, one wins."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{USER}:{secrets.token_urlsafe(_BYTES)}\n")
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
