"""Files that are packed by gzip or Zstandard, as they were before."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from evaluation.importers.errors import LogError

PACKED = {".gz": "gzip", ".zst": "Zstandard"}
"""What the names of such files end in, and by what they are packed."""
_PIECE = 1_000_000
_IN_MEMORY = 64_000_000


def unpacked_name(path: Path) -> str:
    """A file's name as it was before it was packed."""
    return path.stem if path.suffix in PACKED else path.name


def unpacked(path: Path) -> BinaryIO:
    """A file to be read as it was before it was packed.

    Raises:
        EOFError: It breaks off.
        LogError: It is not packed as its name says.
    """
    if path.suffix == ".gz":
        return cast(BinaryIO, gzip.open(path, "rb"))
    return _of_zstandard(path) if path.suffix == ".zst" else path.open("rb")


def not_packed(path: Path) -> LogError:
    """A file that is not what its name says."""
    return LogError(path, f"is damaged, or not packed by {PACKED[path.suffix]}", hint="Fetch or pack it anew.")


def _of_zstandard(path: Path) -> BinaryIO:
    """All of it at once: a stream of this library's ends where a file breaks off, as if it were whole."""
    import zstandard

    with ExitStack() as closing, path.open("rb") as packed:
        file = closing.enter_context(SpooledTemporaryFile(_IN_MEMORY))
        frame = zstandard.ZstdDecompressor().decompressobj()
        rest = b""
        try:
            while piece := rest or packed.read(_PIECE):
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                file.write(frame.decompress(piece))
                rest = frame.unused_data
        except zstandard.ZstdError as error:
            raise not_packed(path) from error
        if not frame.eof:
            raise EOFError
        file.seek(0)
        closing.pop_all()
        return cast(BinaryIO, file)
