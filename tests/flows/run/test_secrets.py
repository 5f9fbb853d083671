"""A planted key is nowhere: no file, database, log, artifact, record of MLflow or answer of Prefect holds it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agent.llm_server import LlmServer, Reply
from tests.agent.scripted_answers import says
from tests.flows.command import SLOPE, mlab
from tests.flows.interface import HTTP

KEY = "sk-planted-7f3a9c51e8d24b60"
IN_FILE = "planted-in-dotenv-58c1d7e9"
AUTH = "planted-store-secret-11aa22bb33"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PLANTED = (KEY, IN_FILE, AUTH)

LOOKS_AROUND = """
import glob, os
print(dict(os.environ))
for path in [*glob.glob("/proc/*/environ"), *glob.glob("/*/.env"), *glob.glob("../../*/.env")]:
    try:
        print(path, open(path, "rb").read())
    except OSError as error:
        print(error)
"""
PLAN = (
    ("Write File", {"file_name": "look.py", "content": LOOKS_AROUND}),
    ("Execute Script", {"script_name": "look.py"}),
    ("Final Answer", {"final_answer": f"My key is {KEY}."}),
)
ANSWERS = ("flow_runs", "task_runs", "logs", "artifacts", "flows", "deployments", "variables", "block_documents")


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mlab_environment: Path) -> Path:
    """Secrets in the environment and in a ``.env`` file of the current folder."""
    folder = tmp_path / "current"
    folder.mkdir()
    (folder / ".env").write_text(f"MISTRAL_API_KEY={IN_FILE}\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", AUTH)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    return mlab_environment


def answers_of(api: str) -> Iterator[tuple[str, str]]:
    """All that the server tells about its runs, page by page."""
    for kind in ANSWERS:
        for offset in range(0, 20_000, 200):
            asked = {"limit": 200, "offset": offset}
            found = HTTP.post(f"{api}/{kind}/filter", json=asked).raise_for_status().json()
            yield kind, json.dumps(found)
            if len(found) < 200:
                break
    events = HTTP.post(f"{api}/events/filter", json={"limit": 50}).raise_for_status()
    yield "events", events.text


def spellings(secret: str) -> tuple[bytes, ...]:
    """A secret as it is, backwards, and in base64 at each of the three places it may begin."""
    whole = secret.encode()
    shifted = (base64.b64encode(bytes(n) + whole)[4 if n else 0 : -4] for n in range(3))
    return whole, whole[::-1], *shifted


def test_a_planted_secret_is_found_nowhere(planted: Path, shared_folder: Path, prefect_server: str) -> None:
    script = [
        Reply(status=401, error=("invalid_api_key", f"Incorrect API key provided: {KEY}")),
        *(says("react", *action) for action in PLAN),
    ]
    with LlmServer(script) as server:
        command = ["run", str(SLOPE), "--agent", "react", "--model", "openai:test-model"]
        command += ["--set", f"model.base_url={server.address}/v1", "--max-steps", "4"]
        refused, ended = mlab(*command), mlab(*command)
    assert refused.returncode == 3, refused.stderr
    assert "ended by" in ended.stdout, ended.stderr
    printed = "".join(done.stdout + done.stderr for done in (refused, ended))
    assert any(KEY in request.headers.get("authorization", "") for request in server.requests)

    places = [("the terminal", printed.encode())]
    places += [(f"Prefect's {kind}", text.encode()) for kind, text in answers_of(prefect_server)]
    for folder in (planted, shared_folder / "mlab-server"):
        files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        places += [(str(path), path.read_bytes()) for path in files]
    names = {Path(name).suffix for name, _ in places}
    assert {".db", ".json", ".parquet", ".log"} <= names, "what should be searched is there"
    found = [
        (name, secret) for name, text in places for secret in PLANTED for each in spellings(secret) if each in text
    ]
    assert not found
