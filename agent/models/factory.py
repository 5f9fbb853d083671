"""Makes LangChain chat models from ``provider:model`` names."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

from agent.errors import AgentSettingsError
from agent.models.errors import BadKeyError
from agent.models.secrets import Secrets
from agent.models.settings import ModelSettings
from agent.settings import MODEL_PREFIX
from foundation.text import known_names
from tasks_catalog.library.errors import MissingExtraError
from tasks_catalog.library.extras import how_to_install

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class Provider(NamedTuple):
    """How a provider is installed and given its key; ``None`` where it needs none."""

    extra: str
    key: str | None


PROVIDERS = {
    "openai": Provider("openai", "OPENAI_API_KEY"),
    "anthropic": Provider("anthropic", "ANTHROPIC_API_KEY"),
    "google_genai": Provider("google", "GOOGLE_API_KEY"),
    "mistralai": Provider("mistral", "MISTRAL_API_KEY"),
    "ollama": Provider("ollama", None),
}
"""Providers with an extra of their own; LangChain knows more, which may be installed by hand."""

_SHOWN = 700
"""Characters of a library's refusal."""

_NO_KEY = "none"
"""Sent to a server of one's own, which usually asks for no key."""


def is_installed(provider: str) -> bool:
    """Whether the library is there by which LangChain asks one of the ``PROVIDERS``; it is not loaded."""
    return find_spec(f"langchain_{provider}") is not None


def make_model(name: str, settings: ModelSettings, secrets: Secrets) -> BaseChatModel:
    """The chat model of that name; it does not retry by itself.

    Raises:
        AgentSettingsError: The name does not say which provider.
        MissingExtraError: The provider's library is not installed.
        BadKeyError: The provider needs a key and there is none.
    """
    from langchain.chat_models import init_chat_model

    provider, _, model = name.partition(":")
    if not model:
        raise AgentSettingsError(
            f"The model {name!r} does not say whose it is", hint="Write provider:model, such as openai:gpt-5-mini."
        )
    try:
        options = _options(provider, settings) | _key(provider, settings, secrets)
        made: BaseChatModel = init_chat_model(model, model_provider=provider, **options)
    except ImportError as error:
        raise _missing(provider, error) from error
    except ValueError as error:
        raise AgentSettingsError(
            f"The model {name} cannot be made: {shorten(secrets.redact(_begun(error)), _SHOWN, placeholder=' …')}",
            hint=known_names(provider, PROVIDERS, intro="Providers with an extra of their own"),
        ) from error
    return made


def _begun(refusal: ValueError) -> str:
    """What a library says first; behind it LangChain names every provider that it knows."""
    return str(refusal).partition("\n\n")[0]


def _options(provider: str, settings: ModelSettings) -> dict[str, Any]:
    if provider == "ollama":
        options: dict[str, Any] = {
            "num_predict": settings.max_tokens,
            "client_kwargs": {"timeout": settings.timeout},
        }
    else:
        options = {"max_tokens": settings.max_tokens, "timeout": settings.timeout, "max_retries": 0}
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    if settings.top_p is not None:
        options["top_p"] = settings.top_p
    options |= _thinking(provider, settings)
    if settings.base_url is not None:
        options["base_url"] = settings.base_url
    if settings.streaming:
        options |= {"streaming": True, "stream_usage": True}
    return options


def _thinking(provider: str, settings: ModelSettings) -> dict[str, Any]:
    """How much the model thinks, in its provider's terms; the answer's limit holds without the thinking.

    Raises:
        AgentSettingsError: The provider knows no such setting.
    """
    options: dict[str, Any] = {}
    if settings.reasoning_effort is not None:
        _require(provider, "reasoning_effort", ("openai", "anthropic"))
        options["reasoning_effort"] = settings.reasoning_effort
    if settings.thinking is not None:
        _require(provider, "thinking", ("anthropic",))
        if settings.thinking == "adaptive":
            options["thinking"] = {"type": "adaptive"}
        else:
            options["thinking"] = {"type": "enabled", "budget_tokens": settings.thinking}
            options["max_tokens"] = settings.max_tokens + settings.thinking
    return options


def _require(provider: str, setting: str, known: tuple[str, ...]) -> None:
    if provider not in known:
        raise AgentSettingsError(
            f"Models of {provider} are not told {MODEL_PREFIX}.{setting}", hint=f"It is for: {', '.join(known)}"
        )


def _key(provider: str, settings: ModelSettings, secrets: Secrets) -> dict[str, Any]:
    variable = PROVIDERS[provider].key if provider in PROVIDERS else None
    if variable is None:
        return {}
    key = secrets.get(variable)
    if key is None and settings.base_url is None:
        raise BadKeyError(
            f"There is no key for {provider}", hint=f"Set {variable} in the environment or in a .env file"
        )
    return {"api_key": key or _NO_KEY}


def _missing(provider: str, error: ImportError) -> MissingExtraError:
    if provider in PROVIDERS:
        install = how_to_install(PROVIDERS[provider].extra)
    else:
        library = (error.name or f"langchain_{provider}").split(".")[0].replace("_", "-")
        install = f"{sys.executable} -m pip install {library}"
    return MissingExtraError(f"Models of {provider} need a library that is not installed", hint=install)
