"""What can go wrong with a model call, told apart so that each can be answered in its own way."""

from __future__ import annotations

from agent.errors import AgentError


class ModelCallError(AgentError):
    """A model call failed."""


class PromptTooLongError(ModelCallError):
    """The prompt does not fit the model; a shorter one may."""


class RefusedError(ModelCallError):
    """The model or its provider declined to answer this prompt."""


class BadKeyError(ModelCallError):
    """There is no key, or the provider does not accept it."""


class QuotaError(ModelCallError):
    """The account has no credit left; waiting does not help."""


class BadRequestError(ModelCallError):
    """The provider does not know the model or rejects the request."""


class RetryableError(ModelCallError):
    """The same call may succeed later.

    Args:
        message: What happened.
        hint: What the reader can do.
        retry_after: Seconds the provider asked to wait, where it said so.
    """

    def __init__(self, message: str, *, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class RateLimitedError(RetryableError):
    """Too many requests or tokens in a short time."""


class ServerError(RetryableError):
    """The provider failed, is overloaded, or answered something that is no answer."""


class NetworkError(RetryableError):
    """The provider could not be reached, or the connection broke."""
