"""The library that draws the plots of a page: held by it, or shared by the pages of a folder."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import secrets
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

from markupsafe import Markup

from foundation.whole import whole


@cache
def plotly() -> str:
    """The library's code."""
    from plotly.offline import get_plotlyjs

    script: str = get_plotlyjs()
    return script


def digest_of(script: str) -> str:
    """What a content security policy calls a script by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class Plots(NamedTuple):
    """Where a page has the library from.

    Attributes:
        packed: The library, gzipped in base64, where the page holds it.
        beside: Else its address from the page.
        nonce: By which the page's policy lets it run from there.
    """

    packed: Markup = Markup("")
    beside: str = ""
    nonce: str = ""

    @classmethod
    def packed_in(cls) -> Self:
        """For a page that opens alone, wherever it lies."""
        return cls(packed=_packed())

    @classmethod
    def beside_page(cls, folder: Path, page: Path) -> Self:
        """For a page below a folder that keeps one copy for all.

        Raises:
            OSError: The folder cannot be written.
        """
        from plotly import __version__

        library = folder / f"plotly-{__version__}.js"
        if not library.exists():
            with whole([library]) as (beside,):  # other runs may read the file, or write it, at the same moment
                beside.write_text(plotly(), encoding="utf-8")
        return cls(beside=Path(os.path.relpath(library, page.parent)).as_posix(), nonce=secrets.token_urlsafe(16))


@cache
def _packed() -> Markup:
    return Markup(base64.b64encode(gzip.compress(plotly().encode(), compresslevel=9, mtime=0)).decode())
