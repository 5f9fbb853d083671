"""YAML of people, read without trusting it: no key twice, no bombs, nothing nested without end."""

from __future__ import annotations

import io
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from flows.errors import UsageError
from foundation.sizes import MiB
from foundation.text import shown

LARGEST = 1 * MiB
MOST_VALUES = 100_000
DEEPEST = 50


class _OnceLoader(yaml.SafeLoader):
    """YAML takes the last of several equal keys; here they are an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} is there twice", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep)


class _NamedText(io.StringIO):
    """Text that says whose it is: YAML's errors point into what its stream is called."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self._name = name

    @property
    def name(self) -> str:
        """What errors call it."""
        return self._name


def read_yaml(path: Path) -> object:
    """The content of a YAML file.

    Raises:
        UsageError: It cannot be read, is no YAML, or holds more than a sweep could ever say.
    """
    name = shown(str(path))
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"The sweep file {name} cannot be read: it is no regular file.")
        if path.stat().st_size > LARGEST:
            raise UsageError(f"The sweep file {name} is larger than {LARGEST / MiB:.0f} MiB.")
        content: object = yaml.load(_NamedText(path.read_text(encoding="utf-8"), name), _OnceLoader)
    except OSError as error:
        raise UsageError(f"The sweep file {name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"The sweep file {name} is not UTF-8 (line {line}).", hint="Save it in UTF-8, such as by iconv."
        ) from error
    except RecursionError as error:
        raise UsageError(f"The sweep file {name} is nested too deeply.") from error
    except (yaml.YAMLError, ValueError) as error:
        raise UsageError(f"The sweep file {name} is not YAML: {error}") from error
    _measure(name, content)
    return content


def _measure(name: str, content: object) -> None:
    """Aliases in YAML can make a value that is endless once it is written out."""
    pending, values = [(content, 0)], 0
    while pending:
        value, depth = pending.pop()
        values += 1
        if values > MOST_VALUES or depth > DEEPEST:
            raise UsageError(
                f"The sweep file {name} says too much: at most {MOST_VALUES:,} values, nested {DEEPEST} deep, are read."
            )
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        pending += [(each, depth + 1) for each in inner]
