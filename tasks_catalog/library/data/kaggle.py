"""Files of a Kaggle competition, by Kaggle's public HTTP interface."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from urllib.parse import quote

import httpx

from foundation.paths import expanded
from tasks_catalog.library.data.downloads import download
from tasks_catalog.library.errors import NoCredentialsError, PrepareError


def download_competition_file(competition: str, name: str, target: Path, *, api: str) -> Path:
    """Fetch one file of a competition's data.

    Raises:
        PrepareError: Credentials are missing or refused, the rules of the competition were not
            accepted, or the network failed.
    """
    file = f"{quote(competition)}/{quote(name, safe='')}"
    return _download(competition, f"{api}/competitions/data/download/{file}", target)


def download_competition(competition: str, target: Path, *, api: str) -> Path:
    """Fetch all files of a competition's data, as one zip archive.

    Raises:
        PrepareError: As ``download_competition_file``.
    """
    return _download(competition, f"{api}/competitions/data/download-all/{quote(competition)}", target)


def _download(competition: str, url: str, target: Path) -> Path:
    headers = {"Authorization": _authorization()}
    try:
        return download(url, target, headers=headers)
    except httpx.HTTPStatusError as error:
        if error.response.status_code == httpx.codes.UNAUTHORIZED:
            raise PrepareError(
                "Kaggle does not accept the credentials",
                hint="Make a new token on https://www.kaggle.com/settings and save it as ~/.kaggle/kaggle.json.",
            ) from error
        raise PrepareError(
            f"Kaggle refuses the files of the competition {competition!r}: its rules are not accepted yet",
            hint=f"Accept them once on https://www.kaggle.com/c/{competition}/rules, with the account of the token.",
        ) from error


def _authorization() -> str:
    if token := os.environ.get("KAGGLE_API_TOKEN"):
        return f"Bearer {token}"
    user, key = os.environ.get("KAGGLE_USERNAME"), os.environ.get("KAGGLE_KEY")
    if not (user and key):
        user, key = _saved_credentials()
    return "Basic " + base64.b64encode(f"{user}:{key}".encode()).decode()


def _saved_credentials() -> tuple[str, str]:
    path = expanded(os.environ.get("KAGGLE_CONFIG_DIR", "~/.kaggle")) / "kaggle.json"
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        return saved["username"], saved["key"]
    except FileNotFoundError:
        raise NoCredentialsError(
            "This data comes from Kaggle, and there are no Kaggle credentials",
            hint=f"Make a token on https://www.kaggle.com/settings and save it as {path}, or set "
            "KAGGLE_USERNAME and KAGGLE_KEY.",
        ) from None
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise PrepareError(f"{path} is not a Kaggle token: it must hold a username and a key") from error
