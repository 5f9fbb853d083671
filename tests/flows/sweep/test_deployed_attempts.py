"""Which flow run a deployed sweep takes for a run's: its last one, unless that has to be followed by another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterTags
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Crashed, Failed

from environment.journal.entries import Journal
from environment.records import RunConfig
from environment.store import Store
from flows.names import new_run_id, run_tag
from flows.settings import Settings
from flows.sweep.deployed import DeployedRunner
from flows.sweep.failures import Failure, FailureKind
from tests.conftest import connected_to
from tests.flows.command import SLOPE
from tests.flows.sweeping import AGENT

GAVE_UP: State = Failed(message="Flow run encountered an exception: ValueError: a mistake of the agent")


@pytest.fixture
def client(mlab_environment: object, prefect_server: str) -> Iterator[SyncPrefectClient]:
    from flows.deploying.register import register

    with connected_to(prefect_server):
        register()
        with get_client(sync_client=True) as client:
            yield client


def begun(store: Store) -> RunConfig:
    """A run that the store holds without a result."""
    config = RunConfig(task=str(SLOPE), agent=AGENT)
    config = config.model_copy(update={"run_id": new_run_id(config, None)})
    Journal(store, config.run_id or "").write_config(config)
    return config


def attempts(client: SyncPrefectClient, config: RunConfig) -> list[FlowRun]:
    tagged = FlowRunFilterTags(all_=[run_tag(config.run_id or "")])
    return client.read_flow_runs(flow_run_filter=FlowRunFilter(tags=tagged))


def look(runner: DeployedRunner, config: RunConfig) -> Failure | None:
    """What the runner says of a run at its first look, or while it goes on."""
    runner.stop()
    return runner.run(config)


def left_in(state: State, client: SyncPrefectClient, store: Store) -> RunConfig:
    """A run whose flow run came to ``state`` while no sweep looked."""
    config = begun(store)
    look(DeployedRunner("mlab", store), config)
    (first,) = attempts(client, config)
    client.set_flow_run_state(first.id, state, force=True)
    return config


def test_what_an_agent_failed_at_while_no_sweep_looked_is_not_begun_again(client: SyncPrefectClient) -> None:
    store = Store(Settings().store_url)
    config = left_in(GAVE_UP, client, store)
    failure = look(DeployedRunner("mlab", store), config)
    assert failure is not None
    assert failure.kind is FailureKind.AGENT
    assert "a mistake of the agent" in failure.message
    assert len(attempts(client, config)) == 1


@pytest.mark.parametrize(("state", "retry_failed"), [(GAVE_UP, True), (Crashed(message="gone"), False)])
def test_an_accident_is_followed_by_another_attempt_and_so_is_a_failure_that_is_to_be_retried(
    client: SyncPrefectClient, state: State, retry_failed: bool
) -> None:
    store = Store(Settings().store_url)
    config = left_in(state, client, store)
    for _ in range(2):  # the second attempt is under way, and found
        failure = look(DeployedRunner("mlab", store, retry_failed=retry_failed), config)
        assert failure is not None
        assert failure.kind is FailureKind.INFRASTRUCTURE
        assert len(attempts(client, config)) == 2


def test_a_removed_run_begins_anew(client: SyncPrefectClient) -> None:
    store = Store(Settings().store_url)
    config = left_in(GAVE_UP, client, store)
    store.delete(Journal(store, config.run_id or "").keys.config)
    look(DeployedRunner("mlab", store), config)
    assert len(attempts(client, config)) == 2
