"""Reading JSON that others wrote: what is there is taken, what is missing is empty, what is broken is told."""

from __future__ import annotations

import gzip
import json
import math
import re
import shlex
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from environment.records import Action
from evaluation.importers.errors import LogError
from evaluation.importers.packing import PACKED, not_packed, unpacked, unpacked_name
from foundation.storable import storable

LARGEST = 2_000_000_000
"""Bytes of a file of JSON; a larger one is named and passed over."""
LONGEST = 256_000_000
"""Bytes of a line of JSON."""
_BEGINNING = 1_000
_PIECE = 1_000_000
_MILLISECONDS = 1e11
"""Seconds since 1970 are fewer for a thousand years."""
_UTF16 = {
    BOM_UTF16_LE: "utf-16",
    BOM_UTF16_BE: "utf-16",
    b"{\0": "utf-16-le",
    b"[\0": "utf-16-le",
    b"\0{": "utf-16-be",
    b"\0[": "utf-16-be",
}
"""How files in UTF-16 begin, with a mark or with JSON."""
_JSON_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def load_json(path: Path) -> Any:
    """The content of a JSON file.

    Raises:
        LogError: The file cannot be read or is no JSON.
    """
    with _reading(path) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise LogError(path, f"holds more than {LARGEST} bytes, too large to read whole")
    return parse_json(content, path)


def load_text(path: Path, most: int = LARGEST) -> str:
    """The content of a text file, whatever it is encoded in or packed by; nothing where it cannot be read.

    Args:
        path: The file.
        most: Bytes of it that are read.
    """
    try:
        with opened(path) as file:
            return file.read(most).decode("utf-8-sig", "replace")
    except (OSError, EOFError, zlib.error, LogError):
        return ""


def suffix_of(path: Path) -> str:
    """What a file's name ends in, apart from how it is packed."""
    return Path(unpacked_name(path)).suffix


def opened(path: Path) -> BinaryIO:
    """A file to be read, unpacked where it is packed; one in UTF-16, as some shells redirect to, in UTF-8."""
    with ExitStack() as closing:
        file = closing.enter_context(unpacked(path))
        encoding = _UTF16.get(file.read(2))
        file.seek(0)
        if encoding:
            return BytesIO(file.read(LARGEST).decode(encoding, "replace").encode("utf-8", "replace"))
        closing.pop_all()
        return file


def parse_json(content: bytes, path: object, place: str = "") -> Any:
    """JSON from bytes, with the file and the place in it where it breaks."""
    try:
        value = json.loads(content.decode("utf-8-sig", "replace"))
        return storable(value) if _SURROGATE.search(content) else value
    except ValueError as error:
        line = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise LogError(path, f"is not valid JSON: {error}", place=place or line) from error
    except RecursionError as error:
        raise LogError(path, "is nested too deeply", place=place) from error


GAP: dict[str, Any] = {}
"""Stands, as this one object, among the lines of a log for those that are no JSON object."""


def json_lines(path: Path, torn: list[int] | None = None) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, one after the other.

    Args:
        path: The file.
        torn: Takes the numbers of lines that are no JSON object, as the last one of a process that was killed.

    Raises:
        LogError: The file cannot be read.
    """
    for number, line in _lines(path):
        try:
            value = parse_json(line, path)
        except LogError:
            value = None
        if isinstance(value, dict):
            yield value
        elif torn is not None:
            torn.append(number)


def begins_with_json(path: Path) -> bool:
    """Whether a file begins as a JSON object or a list of them does.

    Raises:
        LogError: It cannot be read.
    """
    with _reading(path) as file:
        return _JSON_BEGINS.match(file.read(_BEGINNING)) is not None


def begins_with_line(path: Path) -> bool:
    """Whether the first line of a file is a JSON object by itself, and more follows."""
    try:
        lines = _lines(path)
        _, first = next(lines, (0, b""))
        first = first.removeprefix(BOM_UTF8)
        is_one_of_several = first.lstrip()[:1] == b"{" and next(lines, None) is not None
        return is_one_of_several and isinstance(parse_json(first, path), dict)
    except LogError:
        return False


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers; of one that is too long only how it begins."""
    with _reading(path) as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            more = line
            while len(more) == LONGEST and not more.endswith(b"\n"):
                more = file.readline(LONGEST)
            if line.strip():
                yield number, line


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    try:
        with opened(path) as file:
            yield file
    except EOFError as error:
        raise LogError(
            path, f"is packed by {PACKED[path.suffix]} and breaks off", hint="Fetch or pack it anew."
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise not_packed(path) from error
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error


def check_packing(path: Path) -> None:
    """Unpack a file that is packed.

    Raises:
        LogError: It breaks off, is damaged or not packed.
    """
    if path.suffix in PACKED:
        with _reading(path) as file:
            while file.read(_PIECE):
                pass


def check_json_lines(path: Path) -> None:
    """Find the first line of a file that is no JSON.

    Raises:
        LogError: There is one, or the file cannot be read.
    """
    for number, line in _lines(path):
        parse_json(line, path, f"line {number}")


def objects(value: object, path: object, place: str) -> list[dict[str, Any]]:
    """A list of objects; anything that is not an object in it is an error."""
    if not isinstance(value, list):
        raise LogError(path, "has no list here", place=place)
    for number, item in enumerate(value):
        if not isinstance(item, dict):
            raise LogError(path, f"is {type(item).__name__} where an object is wanted", place=f"{place}[{number}]")
    return value


def mapping(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where the value is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(part for part in _parts(value) if part)
    return "" if value is None else str(value)


def _parts(items: Iterable[object]) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict) and isinstance(item.get("text"), str):
            yield item["text"]


def figure(value: object) -> float | None:
    """The value if it is a finite number, as a score must be; true and false are none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def moment(value: object) -> datetime | None:
    """A point in time as text of ISO 8601, or in seconds or milliseconds since 1970; ``None`` where it is none."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        number = figure(value)
        return datetime.fromtimestamp(number / 1000 if number > _MILLISECONDS else number, UTC) if number else None
    except (ValueError, OverflowError, OSError):
        return None


def tool_action(name: object, arguments: object) -> Action:
    """A tool call as an action; arguments that are not an object become its one ``input``, a command is a text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"input": arguments}
    args: dict[str, Any] = arguments if isinstance(arguments, dict) else {"input": text(arguments)}
    return Action(name=str(name or "none"), args={key: _command(key, value) for key, value in args.items()})


def _command(key: str, value: Any) -> Any:
    """A command that is given as a list of words as one text; that of a shell is its script."""
    if key not in ("command", "cmd") or not isinstance(value, list):
        return value
    script = len(value) > 2 and value[1] in ("-c", "-lc", "-ic")
    return str(value[-1]) if script else shlex.join(map(str, value))


def command_action(command: str) -> Action:
    """A shell-like command, under the name of its first word."""
    words = command.split(None, 1)
    return Action(name=words[0] if words else "none", args={"command": command})
