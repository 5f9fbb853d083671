"""What stands around a value in a dictionary that is printed over several lines."""

from __future__ import annotations

import re

from environment.metrics.names import Split, is_counter, is_metric, split_in, without_split

GENERAL = frozenset(
    ["metrics", "metric", "results", "result", "scores", "summary", "final", "means", "history", "log_history", "all"]
)
"""Keys that say nothing of what stands below them."""
_BRACE = re.compile(r"""(?:["']([^"']{1,80})["']\s*:\s*)?\{|\}""")
_ALONE = re.compile(r"""\s*["']?([A-Za-z][\w.+-]{0,60})["']?:\s*$""")
"""A key of YAML over what it holds."""
_DEEPEST = 50


class Nesting:
    """Which keys are open where a value stands, in braces or, as in YAML, above it; fed every line in order."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._above: list[tuple[int, str]] = []

    def read(self, line: str) -> list[tuple[int, tuple[str, ...]]]:
        """Take up a line: from which position on which keys are open, in order; none outside a dictionary."""
        if not self._keys and not line.lstrip().startswith("{"):
            return self._below(line)
        open_at = [(0, tuple(self._keys))]
        for match in _BRACE.finditer(line):
            if match.group() == "}":
                if self._keys:
                    self._keys.pop()
            elif len(self._keys) < _DEEPEST:
                self._keys.append(match[1] or "")
            open_at.append((match.end(), tuple(self._keys)))
        return open_at

    def _below(self, line: str) -> list[tuple[int, tuple[str, ...]]]:
        """The keys that a line stands below, each further in than the one before; a key alone is one for the next."""
        indent = len(line) - len(line.lstrip(" "))
        while self._above and self._above[-1][0] >= indent:
            self._above.pop()
        keys = tuple(key for _, key in self._above)
        alone = _ALONE.match(line)
        if alone and not is_counter(alone[1].rstrip("_-0123456789")) and len(self._above) < _DEEPEST:
            self._above.append((indent, alone[1]))
        return [(0, keys)] if keys else []


def keys_at(open_at: list[tuple[int, tuple[str, ...]]], position: int) -> tuple[str, ...]:
    """The keys that are open at a position of a line."""
    return next((keys for start, keys in reversed(open_at) if start <= position), ())


def split_of(keys: tuple[str, ...]) -> Split | None:
    """The split that the innermost of the keys names."""
    return next((split for key in reversed(keys) if (split := split_in(key))), None)


def part_of(keys: tuple[str, ...]) -> str:
    """The data set, model or run that the keys name."""
    return " ".join(key for key in keys if tells_apart(key) and not is_metric(key))


def tells_apart(key: str) -> bool:
    """Whether a key above a metric names a data set, model or run, and not only a split."""
    bare = without_split(key) if split_in(key) else key
    return bool(bare) and bare.lower() not in GENERAL
