"""Files fetched by hand answer for the addresses that Python code of others fetches from.

``python -m tasks_catalog.library.foreign.served FOLDER SCRIPT`` runs a script of others that way.
"""

from __future__ import annotations

import importlib
import runpy
import sys
from email.message import Message
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import BaseHandler, Request, build_opener, install_opener
from urllib.response import addinfourl


def serve(folder: Path) -> None:
    """From now on, give ``urllib`` and ``requests`` the file of an address's last name, where the folder has one.

    What it does not have is fetched as ever.
    """
    install_opener(build_opener(_Folder(folder)))
    if find_spec("requests") is not None:
        _serve_requests(folder)


def file_of(address: str, folder: Path) -> Path | None:
    """What was fetched by hand from there."""
    return found(folder, unquote(Path(urlsplit(address).path).name))


def found(folder: Path, name: str) -> Path | None:
    """The file at that path below the folder, or else the only one of that name anywhere in it."""
    if not name:
        return None
    if (folder / name).is_file():
        return folder / name
    named = [path for path in folder.rglob(Path(name).name) if path.is_file()]
    return named[0] if len(named) == 1 else None


class _Folder(BaseHandler):
    handler_order = 100  # before those that go to the network, at 500

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def https_open(self, request: Request) -> addinfourl | None:
        """The file, or nothing, which lets the next one try."""
        file = file_of(request.full_url, self._folder)
        if file is None:
            return None
        headers = Message()
        headers["Content-Length"] = str(file.stat().st_size)
        answer = addinfourl(file.open("rb"), headers, request.full_url, 200)
        vars(answer)["msg"] = "OK"  # which urllib asks of every answer that came by http
        return answer

    http_open = https_open


def _serve_requests(folder: Path) -> None:
    adapter: Any = importlib.import_module("requests.adapters").HTTPAdapter
    urllib3: Any = importlib.import_module("urllib3")
    send = adapter.send

    def sent(self: Any, request: Any, *values: Any, **options: Any) -> Any:
        file = file_of(request.url, folder)
        if file is None:
            return send(self, request, *values, **options)
        headers = {"Content-Length": str(file.stat().st_size)}
        body = urllib3.HTTPResponse(file.open("rb"), headers=headers, status=200, preload_content=False)
        return self.build_response(request, body)

    adapter.send = sent


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
    sys.argv[:] = sys.argv[2:]
    runpy.run_path(sys.argv[0], run_name="__main__")
