"""Members of zip files, also of those that are packed by Zstandard, which Python itself reads from 3.14 on."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<26xHH")
"""Up to the lengths of the name and of the extra field, between which and the data nothing stands (APPNOTE 4.3.7)."""


def unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The content of a member.

    Raises:
        zipfile.BadZipFile: It is torn.
        NotImplementedError: It is packed in a way that nothing here can unpack.
        RuntimeError: It is encrypted.
    """
    if info.compress_type != _ZSTANDARD or info.flag_bits & 1:
        return archive.read(info)
    import zstandard

    packed = io.BytesIO(_packed(archive, info))
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as unpacked:
            content = unpacked.read(info.file_size)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
    if zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("its checksum is another")
    return content


def _packed(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member as they lie in the file."""
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile("the file is closed")
    file.seek(info.header_offset)
    header = file.read(_LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size:
        raise zipfile.BadZipFile("it ends within a header")
    name, extra = _LOCAL_HEADER.unpack(header)
    file.seek(info.header_offset + _LOCAL_HEADER.size + name + extra)
    return file.read(info.compress_size)
