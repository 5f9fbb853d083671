"""What ends the reading by a model before its end: money, a provider that fails, a signal."""

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
from tests.evaluation.importers.logs import CLAIM, LIE, write_compact
from tests.flows.cli.reading_model import finds, is_second_look, priced
from tests.flows.command import mlab
from tests.flows.forked import forks

pytestmark = pytest.mark.usefixtures("mlab_environment", "reader_key")


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


def test_a_server_that_counts_no_tokens_ends_where_a_limit_is_to_hold(tmp_path: Path) -> None:
    log = write_compact(tmp_path / "run")
    with LlmServer(lambda body: replace(finds(body), usage=None)) as server:
        done = mlab("audit", str(log), *priced(server, tmp_path), "--max-cost", "1", "--json")
        assert len(server.requests) == 1
    assert done.returncode == 1
    assert "no numbers of tokens" in done.stderr
    assert "1 call" in done.stderr
    assert "at an unknown price" in done.stderr


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
