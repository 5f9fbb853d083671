"""Files that are packed by gzip or Zstandard, as they were before."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from io import SEEK_SET, BufferedReader, RawIOBase
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, cast

from evaluation.importers.errors import LogError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PACKED = {".gz": "gzip", ".zst": "Zstandard"}
"""What the names of such files end in, and by what they are packed."""
_PIECE = 4_096
"""Bytes that are unpacked at a time; zeros come out as 30,000 times as many."""
_IN_MEMORY = 64_000_000
_BUFFER = 1_000_000
ANY_LOG = 100_000_000
"""Bytes that a packed file may hold, however small it is."""
_MOST_TIMES = 200
"""What a larger one may hold as a multiple of its own size; logs, with many lines alike, hold some fifty times it."""


def unpacked_name(path: Path) -> str:
    """A file's name as it was before it was packed."""
    return path.stem if path.suffix in PACKED else path.name


def unpacked(path: Path) -> BinaryIO:
    """A file to be read as it was before it was packed.

    Raises:
        EOFError: It breaks off.
        LogError: It is not packed as its name says, or holds more than any log.
    """
    if path.suffix == ".gz":
        return BufferedReader(_OfGzip(path), _BUFFER)
    return _of_zstandard(path) if path.suffix == ".zst" else path.open("rb")


def not_packed(path: Path) -> LogError:
    """A file that is not what its name says."""
    return LogError(path, f"is damaged, or not packed by {PACKED[path.suffix]}", hint="Fetch or pack it anew.")


class _OfGzip(RawIOBase):
    """A file packed by gzip, as far as one may hold."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = gzip.GzipFile(path)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        count = self._file.readinto(buffer)
        _check_amount(self._path, self._file.tell())
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _check_amount(path: Path, came: int) -> None:
    """Stop where more comes out of a packed file than logs can be packed to.

    Raises:
        LogError: It is so.
    """
    if came > ANY_LOG and came > _MOST_TIMES * path.stat().st_size:
        raise LogError(
            path,
            f"is packed to {path.stat().st_size:,} bytes, and {came:,} or more come out of it: no log packs so well",
            hint="If it is one, unpack it and audit that file.",
        )


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
                _check_amount(path, file.tell())
                rest = frame.unused_data
        except zstandard.ZstdError as error:
            raise not_packed(path) from error
        if not frame.eof:
            raise EOFError
        file.seek(0)
        closing.pop_all()
        return cast(BinaryIO, file)
