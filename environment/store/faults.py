"""What file systems and their client libraries raise, in words."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from environment.errors import NotInStoreError, StoreError, UnknownStoreError
from foundation.disk import FULL

WRITABLE = "MLAB_STORE names the store, a folder or a URL; set it to one that you can write to."
STORE_URL = "MLAB_STORE names the store: a folder, or an fsspec URL such as s3://bucket/path."
_CLIENT_LIBRARIES = frozenset({"aiobotocore", "aiohttp", "azure", "botocore", "gcsfs", "google", "s3fs"})
_NO_CREDENTIALS = re.compile("Credential|Token|Profile")
"""In the names of errors: which library raises them, and whether it is loaded, differs with the store."""
_CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
    "gcs": "GOOGLE_APPLICATION_CREDENTIALS",
    "abfs": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    "az": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}
"""Variables by which the libraries of object storage learn who asks."""


@contextmanager
def translated(where: str, doing: str) -> Iterator[None]:
    """Turn what file systems and their client libraries raise into errors a person can act on."""
    try:
        yield
    except IsADirectoryError as error:
        raise StoreError(f"{where} is a folder and should be a file", hint="Move it away.") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        if doing == "write":
            raise UnknownStoreError(f"{where} cannot be written: {error}", hint=WRITABLE) from error
        raise NotInStoreError(f"{where} is not in the store") from error
    except PermissionError as error:
        raise _not_allowed(where, doing, error) from error
    except ImportError as error:
        raise UnknownStoreError(f"Cannot {doing} {where}: {error}", hint=_library(where)) from error
    except OSError as error:
        if error.errno == errno.EROFS:
            raise _not_allowed(where, doing, error) from error
        if error.errno in FULL:
            raise StoreError(
                f"No space left to {doing} {where}",
                hint=f"Free space there, on {socket.gethostname()}; nothing committed is lost.",
            ) from error
        raise StoreError(f"Cannot {doing} {where}: {error}") from error
    except ValueError as error:
        raise UnknownStoreError(f"Cannot {doing} {where}: {error}", hint=STORE_URL) from error
    except Exception as error:
        # Client libraries have error trees of their own, and importing them to name those is slow.
        if type(error).__module__.partition(".")[0] not in _CLIENT_LIBRARIES:
            raise
        if _NO_CREDENTIALS.search(type(error).__name__):
            raise UnknownStoreError(f"Cannot {doing} {where}: {error}", hint=_who(where)) from error
        raise StoreError(f"Cannot {doing} {where}: {error}") from error


def _not_allowed(where: str, doing: str, error: OSError) -> UnknownStoreError:
    return UnknownStoreError(f"No permission to {doing} {where}: {error.strerror or error}", hint=_who(where))


def _who(where: str) -> str:
    """What to look at where the store does not know who asks, or does not let them in."""
    protocol, separator, _ = where.partition("://")
    if separator and protocol in _CREDENTIALS:
        return f"Set {_CREDENTIALS[protocol]} for that store; MLAB_STORE names another one."
    return "Check who owns the store, or its credentials; MLAB_STORE names another one."


def _library(where: str) -> str:
    if where.startswith("s3://"):
        from tasks_catalog.library.extras import how_to_install

        return how_to_install("s3")
    return "Install that library where mlab is installed, or name another store by MLAB_STORE."
