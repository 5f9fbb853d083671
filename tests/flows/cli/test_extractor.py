"""``mlab audit --extractor``, with a model behind a real HTTP server."""

from __future__ import annotations

import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import LlmServer, Reply
from tests.conftest import variables_of
from tests.evaluation.importers.logs import CLAIM, LIE, write_compact
from tests.flows.command import mlab, mlab_json
from tests.flows.conftest import Finished
from tests.flows.forked import forks

pytestmark = pytest.mark.usefixtures("mlab_environment")

PRICES = """
version = "test"

[prices]
"openai:reader@{address}/v1" = {{ input = 10.0, output = 50.0 }}
"""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")


SAYS = {"type": "value", "metric": "accuracy", "split": "test", "rows": ["m0:2a"]}


def is_second_look(body: dict[str, Any]) -> bool:
    return [tool["function"]["name"] for tool in body["tools"]] == ["Looks"]


def looks(answer: str, why: str) -> Reply:
    return Reply(tools=[("Looks", {"looks": [{"claim": 1, "why": why, "answer": answer}]})])


def finds(body: dict[str, Any]) -> Reply:
    """Quotes the two sentences that state an accuracy, whichever of them the text has; upholds what is false."""
    if is_second_look(body):
        return looks("false", "another value was printed")
    prompt = json.dumps(body["messages"])
    claims = [
        {
            "quote": quote,
            "says": {**SAYS, "stated": value},
        }
        for quote, value in ((CLAIM, "59.03%"), (LIE, "93.1%"))
        if quote in prompt
    ]
    return Reply(tools=[("FoundClaims", {"claims": claims})])


def priced(server: LlmServer, folder: Path) -> list[str]:
    file = folder / "prices.toml"
    file.write_text(PRICES.format(address=server.address))
    address = f"model.base_url={server.address}/v1"
    return ["--extractor", "openai:reader", "--set", address, "--set", f"model.prices={file}"]


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


def test_the_limit_on_money_ends_it_and_what_was_read_is_told(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for name in ("a", "b"):
        write_compact(logs / name)
    with LlmServer(finds) as server:
        done = mlab("audit", str(logs), *priced(server, tmp_path), "--max-cost", "0.007", "--json")
        assert len(server.requests) == 4, "the second log has the same texts, which are not paid for again"
        assert (done.returncode, len(done.stdout.splitlines())) == (0, 4)
        less = mlab("audit", str(logs), *priced(server, tmp_path), "--max-cost", "0.003", "--json")
        assert len(server.requests) == 6
        asked = mlab("audit", str(logs / "a"), *priced(server, tmp_path), "--max-cost", "0.005", "--json")
    claims = [json.loads(line) for line in less.stdout.splitlines()]
    assert (less.returncode, [claim["quote"] for claim in claims]) == (1, [CLAIM])
    assert 'collection/model/task/0: the model was asked no more from "The test' in less.stderr
    told = " ".join(less.stderr.split())
    assert "reached after 2 calls, 240 tokens, $0.0040; the last call passed the limit of $0.0030." in told
    [_, lie] = [json.loads(line) for line in asked.stdout.splitlines()]
    assert lie["note"].endswith("; at a second look: the model was not asked, for no more money may be spent")


def test_a_provider_that_fails_on_the_way_loses_nothing_that_was_read(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for name in ("a", "b"):
        write_compact(logs / name)

    def fails(body: dict[str, Any]) -> Reply:
        return Reply(status=500) if is_second_look(body) else finds(body)

    with LlmServer(fails) as server:
        once = [*priced(server, tmp_path), "--set", "model.attempts=1"]
        done = mlab("audit", str(logs), *once, "--json")
    claims = [json.loads(line) for line in done.stdout.splitlines()]
    assert [claim["verdict"] for claim in claims] == ["supported", "uncheckable"]
    told = " ".join(done.stderr.split())
    assert 'collection/model/task/0: the model was asked no more from "The test' in told
    assert "failed (500)" in told
    assert claims[1]["note"].endswith("; at a second look: the model could not be reached")
    assert "What was read before is told, what stands behind it was not read." in told
    assert done.returncode == 1


def test_what_a_model_that_is_asked_no_more_did_not_read_is_named(tmp_path: Path) -> None:
    paths = [str(write_compact(tmp_path / name)) for name in ("a", "b", "c")]
    with LlmServer(lambda body: Reply(status=500) if is_second_look(body) else finds(body)) as server:
        once = [*priced(server, tmp_path), "--set", "model.attempts=1"]
        done = mlab("audit", *paths, *once, "--json")
    told = " ".join(done.stderr.split())
    assert f"Not read at all: 2 logs {paths[1]} {paths[2]}" in told
    assert done.returncode == 1


def test_what_is_not_there_is_told_before_anything_is_paid_for(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")
    with LlmServer(finds) as server:
        done = mlab("audit", str(log), "nowhere", *priced(server, tmp_path), "--json")
        assert server.requests
    told = done.stderr
    assert told.index("'nowhere'") < told.index("extractor: "), "behind what was paid for it comes too late"
    assert done.returncode == 1


def test_without_a_price_no_limit_can_be_held_and_nothing_is_paid(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")
    with LlmServer(finds) as server:
        arguments = ["--extractor", "openai:unknown", "--set", f"model.base_url={server.address}/v1"]
        done = mlab("audit", str(log), *arguments, "--max-cost", "1", "--json")
        assert not server.requests
    assert done.returncode == 2
    assert "no known price" in done.stderr


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


def test_a_server_that_counts_no_tokens_ends_where_a_limit_is_to_hold(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")
    with LlmServer(lambda body: replace(finds(body), usage=None)) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--max-cost", "1", "--json")
        assert len(server.requests) == 1
    assert done.returncode == 1
    assert "no numbers of tokens" in done.stderr
    assert "1 call" in done.stderr
    assert "at an unknown price" in done.stderr


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


def test_a_model_that_was_never_asked_has_no_spend(tmp_path: Path) -> None:
    done = mlab("audit", str(write_compact(tmp_path / "run")), "--extractor", "foo")
    assert done.returncode == 2
    assert "does not say whose it is" in done.stderr
    assert "calls" not in done.stderr


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_interruption_ends_the_waiting_and_what_was_read_is_told(form: list[str], tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")
    waits, go_on = threading.Event(), threading.Event()

    def answers_until_the_lie(body: dict[str, Any]) -> Reply:
        if LIE in json.dumps(body["messages"]):
            waits.set()
            go_on.wait(60)
        return finds(body)

    with LlmServer(answers_until_the_lie) as server:
        running = forks().start(["audit", str(log), *priced(server, tmp_path), *form], os.environ)
        assert waits.wait(60)
        running.send_signal(signal.SIGINT)
        try:
            printed, said = running.communicate(timeout=20)
        finally:
            go_on.set()
    assert running.returncode == 3
    assert CLAIM in " ".join(printed.split())
    assert LIE not in printed
    assert "the model was asked no more from" in said
    assert said.rstrip().endswith("Interrupted.")
