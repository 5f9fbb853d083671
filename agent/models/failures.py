"""Tells apart what providers' libraries raise, without importing any of them."""

from __future__ import annotations

import json
import re
from email.utils import parsedate_to_datetime
from time import time

from langchain_core import exceptions as langchain
from pydantic import ValidationError

from agent.models.errors import (
    BadKeyError,
    BadRequestError,
    ModelCallError,
    NetworkError,
    PromptTooLongError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    ServerError,
)
from foundation.validation import faults

_TOO_LONG = re.compile(
    r"context.{0,3}(length|window|size)|maximum context|prompt is too long|too many (input )?tokens"
    r"|token count .{0,40}exceeds|input.{0,20} too long|exceeds? the (maximum|available|model).{0,30}(context|tokens)",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient.quota|exceeded your current quota|credit balance|billing|out of credits", re.IGNORECASE
)
_REFUSED = re.compile(r"content.?(policy|filter)|flagged|safety|usage polic|violat", re.IGNORECASE)
_NETWORK_NAMES = re.compile(r"Connect|Timeout|Transport|Protocol|ReadError|WriteError|Network")
_SHOWN = 400


def classified(error: Exception, model: str, text: str) -> ModelCallError | None:
    """The error of ours that an exception of a provider's library is, or ``None`` where it is no such.

    Args:
        error: What was raised.
        model: The model's name, for the message.
        text: The exception's text, without secrets.
    """
    status = _status(error)
    shown = " ".join(text.split())[:_SHOWN]
    if isinstance(error, langchain.ContextOverflowError) or status == 413 or (status == 400 and _TOO_LONG.search(text)):
        return PromptTooLongError(f"The prompt is too long for {model}: {shown}")
    if isinstance(error, langchain.ModelRefusalError) or (status in (400, 403) and _REFUSED.search(text)):
        return RefusedError(f"{model} declined to answer: {shown}")
    if status == 402 or (status in (400, 403, 429) and _QUOTA.search(text)):
        return QuotaError(f"The account of {model} has no credit left: {shown}", hint="Add credit, then resume the run")
    if isinstance(error, langchain.ModelAuthenticationError | langchain.ModelPermissionDeniedError) or status in (
        401,
        403,
    ):
        return BadKeyError(f"{model} does not accept the key: {shown}", hint="Check the key in the environment or .env")
    if isinstance(error, langchain.ModelRateLimitError) or status == 429:
        return RateLimitedError(f"{model} limits the rate: {shown}", retry_after=_retry_after(error))
    if (status is not None and status >= 500) or status in (408, 409):
        return ServerError(f"The server of {model} failed ({status}): {shown}", retry_after=_retry_after(error))
    if status is not None:
        return BadRequestError(f"{model} rejected the request ({status}): {shown}", hint="Check the model's name")
    return _without_status(error, model, shown)


def _without_status(error: Exception, model: str, shown: str) -> ModelCallError | None:
    names = [type(e).__name__ for e in _chain(error)]
    is_network = isinstance(error, langchain.ModelConnectionError | langchain.ModelTimeoutError)
    if is_network or isinstance(error, OSError) or any(_NETWORK_NAMES.search(name) for name in names):
        return NetworkError(f"{model} cannot be reached: {shown or names[0]}", hint="Check the address and the network")
    invalid = next((each for each in _chain(error) if isinstance(each, ValidationError)), None)
    if invalid:
        return ServerError(f"{model} answered something that is no answer: {'; '.join(faults(invalid))[:_SHOWN]}")
    if isinstance(error, langchain.ModelError | json.JSONDecodeError) or any("Validation" in name for name in names):
        return ServerError(f"{model} answered something that is no answer: {shown}")
    if isinstance(error, AttributeError | TypeError | KeyError | IndexError | ValueError):
        return ServerError(f"{model} answered something that its library cannot read: {names[0]}: {shown}")
    return None


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    return status if isinstance(status, int) else None


def _retry_after(error: Exception) -> float | None:
    """Seconds of a ``Retry-After`` header, given as seconds, milliseconds or a date."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    milliseconds, after = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(float(milliseconds) / 1000, 0)
        return None if after is None else max(float(after), 0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(str(after)).timestamp() - time(), 0)
    except ValueError:
        return None
