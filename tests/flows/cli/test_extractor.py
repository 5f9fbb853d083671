"""``mlab audit --extractor``, with a model behind a real HTTP server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import LlmServer, Reply
from tests.conftest import variables_of
from tests.evaluation.importers.logs import CLAIM, LIE, write_compact
from tests.flows.cli.reading_model import SAYS, finds, is_second_look, looks, priced
from tests.flows.command import mlab, mlab_json
from tests.flows.conftest import Finished

pytestmark = pytest.mark.usefixtures("mlab_environment", "reader_key")


def test_claims_on_standard_output_and_the_spend_on_standard_error(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")
    with LlmServer(finds) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
    claims = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(claim["quote"], claim["verdict"]) for claim in claims] == [(CLAIM, "supported"), (LIE, "contradicted")]
    assert done.stderr.strip() == "extractor: 4 calls, 480 tokens, $0.0080"
    assert len(server.requests) == 4, "three texts, and a second look at the one that is accused"
    assert done.returncode == 0


def test_what_the_model_does_not_uphold_is_no_accusation(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")

    def doubts(body: dict[str, Any]) -> Reply:
        return looks("misread", "It speaks of the training split.") if is_second_look(body) else finds(body)

    with LlmServer(doubts) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
        (asked,) = (request.prompt for request in server.requests if is_second_look(request.body))
    claims = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(claim["quote"], claim["verdict"]) for claim in claims] == [(CLAIM, "supported"), (LIE, "uncheckable")]
    assert claims[1]["note"].endswith("; at a second look: It speaks of the training split.")
    assert f'1. "{LIE}"' in asked
    assert "93.1" in asked.rpartition("found: contradicted")[2]
    assert "59.03" in asked.rpartition("found: contradicted")[2], "the row that refutes it"


def test_what_is_not_looked_at_again_is_no_accusation_and_is_told(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")

    def silent(body: dict[str, Any]) -> Reply:
        return Reply(text="I would not know.") if is_second_look(body) else finds(body)

    with LlmServer(silent) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
    claims = [json.loads(line) for line in done.stdout.splitlines()]
    assert [claim["verdict"] for claim in claims] == ["supported", "uncheckable"]
    assert claims[1]["note"].endswith("; at a second look: the model gave no answer")
    told = " ".join(done.stderr.split())
    assert f'the model\'s second look at "{LIE}" does not fit: I would not know.' in told
    assert "1 accusation taken back without a second look" in told
    assert "without claims" not in done.stderr


@pytest.mark.parametrize("looked", [[], [{"claim": 7, "why": "", "answer": "false"}]])
def test_an_answer_that_leaves_an_accusation_out_upholds_nothing(looked: list[object], tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")

    def partly(body: dict[str, Any]) -> Reply:
        return Reply(tools=[("Looks", {"looks": looked})]) if is_second_look(body) else finds(body)

    with LlmServer(partly) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["supported", "uncheckable"]
    assert "1 accusation taken back without a second look" in " ".join(done.stderr.split())


def test_why_claims_are_refused_is_told(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")

    def wrong(body: dict[str, Any]) -> Reply:
        unknown = {"quote": CLAIM, "says": {**SAYS, "stated": "59.03%", "rows": ["m99:1"]}}
        hearsay = {"quote": CLAIM, "says": {"type": "hearsay"}}
        claims = [unknown, hearsay] if CLAIM in json.dumps(body["messages"]) else []
        return Reply(tools=[("FoundClaims", {"claims": claims})])

    with LlmServer(wrong) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
    told = " ".join(done.stderr.split())
    assert "2 claims refused: a row that was not known (1), of no type with these fields (1)" in told
    assert "The model gave 2 claims, and none can be used: a row that was not known (1), of no" in told
    assert (done.returncode, done.stdout) == (1, "")
    with LlmServer(wrong) as server:
        table = mlab("audit", str(log), *priced(server, tmp_path))
    assert (table.returncode, table.stdout) == (1, ""), "that no claims were found would be wrong"


def test_a_model_without_tools_may_write_its_claims(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")

    def writes(body: dict[str, Any]) -> Reply:
        (_, found), *_ = finds(body).tools
        return Reply(text=f"<think>Two, I think.</think>These are the claims:\n```json\n{json.dumps(found)}\n```")

    with LlmServer(writes) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
    assert [json.loads(line)["quote"] for line in done.stdout.splitlines()] == [CLAIM, LIE]
    assert done.returncode == 0


def test_a_text_that_the_model_does_not_read_is_told(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")

    def half(body: dict[str, Any]) -> Reply:
        is_read = is_second_look(body) or CLAIM not in json.dumps(body["messages"])
        return finds(body) if is_read else Reply(text="no claims here")

    with LlmServer(half) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--json")
    assert [json.loads(line)["quote"] for line in done.stdout.splitlines()] == [LIE]
    assert CLAIM in done.stderr
    assert "no claims here" in done.stderr
    assert "max_tokens" not in done.stderr
    assert "extractor: 4 calls, 480 tokens, $0.0080, 1 without claims" in done.stderr
    assert done.returncode == 1


def test_a_run_of_the_store(undisturbed: Finished, prefect_server: str, tmp_path: Path) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    (answer,) = (step["prose"] for step in mlab_json("show", undisturbed.run_id, env=environment)[-1:])
    text = next(iter(answer.values()))

    def quotes(body: dict[str, Any]) -> Reply:
        claims = (
            [{"quote": text[:20], "says": {"type": "deed", "doing": "ran"}}]
            if json.dumps(text)[1:-1] in str(body)
            else []
        )
        return Reply(tools=[("FoundClaims", {"claims": claims})])

    with LlmServer(quotes) as server:
        done = mlab("audit", undisturbed.run_id, *priced(server, tmp_path), "--json", env=environment)
    assert server.requests
    claims = [json.loads(line) for line in done.stdout.splitlines()]
    assert {claim["quote"] for claim in claims if claim["field"] != "cited"} == {text[:20]}
    # What the agent cites itself needs no reading, and is judged beside what the model found.
    assert [claim["verdict"] for claim in claims if claim["field"] == "cited"] == ["supported"]


def test_wrong_usage() -> None:
    done = mlab("audit", "x", "--max-cost", "1")
    assert done.returncode == 2
    assert "--extractor" in done.stderr
