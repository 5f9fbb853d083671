"""SQLite databases that another package makes: made once a user and version, and copied from then on.

Their migrations take seconds of processor time, and end in the same empty tables each time.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path

import platformdirs


class ReadyMade:
    """The database that a package makes for itself, as it was before its first use.

    Args:
        package: Whose; another version makes another database.
        cache: The folder of the copies; default: the user's.
    """

    def __init__(self, package: str, cache: Path | None = None) -> None:
        folder = cache or Path(platformdirs.user_cache_dir("mlab")) / "databases"
        self._copy = folder / f"{package}-{version(package)}.sqlite"

    def lay(self, path: Path) -> bool:
        """Put the database there, where nothing is yet and a sound copy is known; whether that was so."""
        if path.exists() or not _is_sound(self._copy):
            return False
        draft = _draft(path)
        try:
            with closing(sqlite3.connect(self._copy)) as source, closing(sqlite3.connect(draft)) as target:
                source.backup(target)
            with suppress(FileExistsError):
                os.link(draft, path)
        except (OSError, sqlite3.Error):
            return False
        finally:
            draft.unlink(missing_ok=True)
        return True

    def keep(self, path: Path, *, without: Sequence[str] = ()) -> None:
        """Keep a copy of a database that has just been made; where that cannot be, the next one is made as well.

        Args:
            path: The database.
            without: Tables that hold what belongs to this one; empty in the copy.
        """
        with suppress(OSError, sqlite3.Error):
            self._copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = _draft(self._copy)
            try:
                with closing(sqlite3.connect(path)) as source:
                    source.execute("VACUUM INTO ?", (str(draft),))
                with closing(sqlite3.connect(draft)) as copy, copy:
                    for table in without:
                        copy.execute(f'DELETE FROM "{table}"')
                draft.replace(self._copy)
            finally:
                draft.unlink(missing_ok=True)

    def agrees(self, path: Path, table: str) -> bool:
        """Whether a database can be read and holds in a table what the copy holds, which tells the version of both."""
        try:
            own, kept = (_rows(each, table) for each in (path, self._copy))
        except (OSError, sqlite3.Error):
            return False
        return own == kept


def _rows(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        return database.execute(f'SELECT * FROM "{table}"').fetchall()


def _draft(path: Path) -> Path:
    """An empty file beside a path, of a name that nobody else has."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(descriptor)
    return Path(name)


def _is_sound(path: Path) -> bool:
    """Whether a file is a whole database, and has tables."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            whole = database.execute("PRAGMA quick_check").fetchone() == ("ok",)
            return whole and database.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
    except (OSError, sqlite3.Error):
        return False
