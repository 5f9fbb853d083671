"""Has the Prefect server's routes built as they are asked, of which a run asks for one in ten.

As shipped, FastAPI builds what reads each parameter and writes each answer of all routes while the server starts.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import Any

from pydantic import ConfigDict, PydanticUserError, TypeAdapter
from pydantic.warnings import UnsupportedFieldAttributeWarning


def build_late() -> None:
    """Change FastAPI in this process, for the routes that are made from now on; one that is made otherwise stays so."""
    try:
        from fastapi._compat import v2  # no part of what FastAPI promises
    except ImportError:
        return
    vars(v2)["TypeAdapter"] = _built_late
    # FastAPI silences it while it builds.
    warnings.filterwarnings("ignore", category=UnsupportedFieldAttributeWarning)


def _built_late(kind: Any, *, config: ConfigDict | None = None) -> TypeAdapter[Any]:
    if config is None:
        with suppress(PydanticUserError):  # a model has a config of its own, and Prefect's are built late by that
            return TypeAdapter(kind, config=ConfigDict(defer_build=True))
    return TypeAdapter(kind, config=config)
