"""The words that the rules know, from ``vocabulary.toml``, each list compiled to one matcher."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_WORD_START, _WORD_END = r"(?<![\w'])", r"(?![\w])"


@cache
def data() -> Mapping[str, Any]:
    """The whole vocabulary."""
    return tomllib.loads((files(__package__) / "vocabulary.toml").read_text(encoding="utf-8"))


def _entry(name: str) -> Any:
    found: Any = data()
    for part in name.split("."):
        found = found[part]
    return found


@cache
def phrases(name: str) -> re.Pattern[str]:
    """The matcher of a list: ``phrases("relations.higher")``."""
    return compiled(_entry(name))


@cache
def groups(name: str) -> Mapping[str, re.Pattern[str]]:
    """The matchers of a table of lists, in the order of the file."""
    return {key: compiled(value) for key, value in _entry(name).items()}


@cache
def concepts() -> Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    """What is said in prose one way and in code in others: how it is said, and what code holds of it."""
    return {name: (compiled(each["said"]), tuple(each["code"])) for name, each in _entry("concepts").items()}


@cache
def kinds_of_failures() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str], tuple[str, ...]]]:
    """How kinds of failures are called, how a diagnosis may call them, and what an output says of them."""
    table = _entry("failures").items()
    return {name: (compiled(each["said"]), compiled(each["meant"]), tuple(each["shown"])) for name, each in table}


@cache
def word_list(name: str) -> frozenset[str]:
    """A list of single words."""
    return frozenset(_entry(name))


@lru_cache(maxsize=4096)
def ends(name: str, text: str) -> bool:
    """Whether a text ends with a phrase of a list."""
    return any(match.end() == len(text) for match in phrases(name).finditer(text))


def either(name: str) -> str:
    """The phrases of a list as a part of a larger pattern."""
    return f"(?:{'|'.join(map(_pattern, _entry(name)))})"


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


@lru_cache(maxsize=2048)
def found_in(name: str, text: str) -> str | None:
    """Which list of a table a text holds a phrase of, the first of them in the text; ``None`` for none."""
    hits = [(m.start(), -len(m.group()), key) for key, pattern in groups(name).items() if (m := pattern.search(text))]
    return min(hits)[2] if hits else None
