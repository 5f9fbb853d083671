"""Files that are there whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4


@contextmanager
def whole(paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """Files to write in place of ``paths``, beside them; they take those names once the block has ended well.

    Else they go again, with the folders that were made for them, and what bore the names before stays.

    Raises:
        OSError: A folder cannot be made, or a file cannot take its name.
    """
    folders = dict.fromkeys(folder for path in paths for folder in path.parents if not folder.exists())
    beside = tuple(path.with_name(f".{path.name}.{uuid4().hex}") for path in paths)
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield beside
        for written, path in zip(beside, paths, strict=True):
            written.replace(path)
    except BaseException:
        for written in beside:
            with suppress(OSError):  # what went wrong at first is what is told
                written.unlink()
        with suppress(OSError):  # another may have put something into them meanwhile
            for folder in folders:
                folder.rmdir()
        raise
