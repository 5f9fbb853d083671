"""The model answers of a run, as the store keeps them."""

from __future__ import annotations

from uuid import uuid4

from environment.journal.entries import Journal
from environment.records import ModelCall
from environment.store import Store


def test_paid_answers_are_kept_and_a_torn_one_counts_as_none() -> None:
    store = Store(f"memory://{uuid4().hex}")
    call = ModelCall(model="m", prompt_tokens=3, cost=0.5)
    Journal(store, "run").recorder().save("4-0-abc", {"text": "answer"}, call)
    again = Journal(store, "run")
    assert again.recorder().load("4-0-abc") == {"text": "answer"}
    assert again.recorder().load("4-1-abc") is None
    key = store.list("runs/run/calls/")[0]
    store.put(key, store.get(key)[:10])
    assert again.recorder().load("4-0-abc") is None
