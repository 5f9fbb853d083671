"""The words that the rules know, from ``vocabulary.toml``, each list compiled to one matcher."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, ParamSpec, TypeVar, cast

_WORD_START, _WORD_END = r"(?<![\w'])", r"(?![\w])"
_P = ParamSpec("_P")
_T = TypeVar("_T")
_used: dict[str, Any] = {}
_matchers: list[Callable[[Sequence[str]], re.Pattern[str]]] = []
_forgets: list[Callable[[], None]] = []


def kept(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Remembers what a function gave for a text, as long as the same vocabulary is used."""
    remembering = lru_cache(maxsize=2048)(function)
    _forgets.append(remembering.cache_clear)
    return cast("Callable[_P, _T]", remembering)


def data() -> Mapping[str, Any]:
    """The vocabulary in use: that of the file, unless another was given."""
    if not _used:
        _used.update(tomllib.loads((files(__package__) / "vocabulary.toml").read_text(encoding="utf-8")))
    return _used


def use(other: Mapping[str, Any], matcher: Callable[[Sequence[str]], re.Pattern[str]] | None = None) -> None:
    """Read by another vocabulary, to see what a list of it gains; or by other matchers of its lists."""
    replaced = dict(other)
    _used.clear()
    _used.update(replaced)
    _matchers[:] = [matcher or compiled]
    for forget in _forgets:
        forget()


def _matcher() -> Callable[[Sequence[str]], re.Pattern[str]]:
    return _matchers[0] if _matchers else compiled


def _entry(name: str) -> Any:
    found: Any = data()
    for part in name.split("."):
        found = found[part]
    return found


@kept
def phrases(name: str) -> re.Pattern[str]:
    """The matcher of a list: ``phrases("relations.higher")``."""
    return _matcher()(_entry(name))


@kept
def groups(name: str) -> Mapping[str, re.Pattern[str]]:
    """The matchers of a table of lists, in the order of the file."""
    return {key: _matcher()(value) for key, value in _entry(name).items()}


@kept
def concepts() -> Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    """What is said in prose one way and in code in others: how it is said, and what code holds of it."""
    return {name: (_matcher()(each["said"]), tuple(each["code"])) for name, each in _entry("concepts").items()}


@kept
def word_list(name: str) -> frozenset[str]:
    """A list of single words."""
    return frozenset(_entry(name))


def compiled(listed: Sequence[str]) -> re.Pattern[str]:
    """One pattern for all phrases, the longest first."""
    ordered = sorted(listed, key=len, reverse=True)
    return re.compile(rf"{_WORD_START}(?:{'|'.join(map(_pattern, ordered))}){_WORD_END}", re.IGNORECASE)


def _pattern(phrase: str) -> str:
    parts = []
    for token in _tokens(phrase):
        optional = token.startswith("?") or token.endswith("_?")
        word = token.strip("?") if optional else token
        word = (
            r"[\w'/.-]+" if word == "_" else word.replace("*", r"\w*").replace(".", r"\.") if "\\" not in word else word
        )
        parts.append((rf"(?:{word}\s+)?" if optional else rf"{word}\s+") if token else "")
    whole = "".join(parts)
    return whole[: -len(r"\s+")] if whole.endswith(r"\s+") else whole


def _tokens(phrase: str) -> Iterator[str]:
    """The words of a phrase; what stands in brackets is one."""
    yield from re.findall(r"(?:[^\s()]|\([^)]*\))+", phrase)


def found_in(name: str, text: str) -> str | None:
    """Which list of a table a text holds a phrase of, the first of them in the text; ``None`` for none."""
    hits = [(m.start(), -len(m.group()), key) for key, pattern in groups(name).items() if (m := pattern.search(text))]
    return min(hits)[2] if hits else None
