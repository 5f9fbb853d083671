"""A run's page in Prefect: progress and the last steps while it runs, the result at its end.

A view only: it is drawn from a thread of its own, so no step waits for it, and a server that is slow or
away holds nothing up.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple
from uuid import UUID

import httpx
from prefect.artifacts import create_markdown_artifact
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import ArtifactCreate, ArtifactUpdate
from prefect.exceptions import PrefectException
from prefect.runtime import flow_run

from environment.journal.tables import read_tables
from environment.records import RunResult, Step
from evaluation.claims.claim import Claim
from flows.names import artifact_key, run_tag
from flows.run.artifacts import result_page, step_table
from flows.run.links import links_of
from flows.run.session import RunSession
from flows.run.telling import result_line

_LOG = logging.getLogger(__name__)
_REFRESH_SECONDS = 2.0
_REST = 9.0
"""Times as long as the last calls took: steps ask the same server, which views of many runs are not to keep busy."""
_PATIENCE_SECONDS = 10.0


class _Shown(NamedTuple):
    percent: float
    spent: str
    steps: Sequence[Step]


class RunPage:
    """Keeps a run's page up to date while its ``with`` block lasts.

    A few small calls every two seconds, and less often where the server takes long to answer them.
    """

    def __init__(self, session: RunSession) -> None:
        self._session = session
        run_id = session.run.run_id
        self._tag = run_tag(run_id)
        self._lock = threading.Lock()
        self._names: dict[str, tuple[str, set[str]]] = {}
        self._latest: _Shown | None = self._look()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._draw, name=f"page {run_id}", daemon=True)
        self._flow_run = UUID(str(flow_run.id))
        # Made with what they first show: no step waits for them either.
        self._progress: UUID | None = None
        self._table: UUID | None = None

    def __enter__(self) -> RunPage:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join(_PATIENCE_SECONDS)

    def name_step(self, name: str) -> None:
        """Name the flow run of the step that this is called in, and tag it as one of the run."""
        with self._lock:
            self._names[str(flow_run.id)] = name, {*flow_run.tags, self._tag}

    def update(self) -> None:
        """Show the step that was just committed."""
        with self._lock:
            self._latest = self._look()

    def finish(self, result: RunResult) -> None:
        """Show that all is done, and the result with what it stands on."""
        with self._lock:
            self._latest = self._look()._replace(percent=100.0, spent="done")
        run = self._session.run
        steps = run.journal.steps()
        answer = steps[-1].decision.action.args.get("final_answer", "") if steps else ""
        claims = [Claim.model_validate(row) for row in read_tables(run.store, [run.run_id], "claims")]
        page = result_page(result, links_of(self._session), str(answer), claims)
        create_markdown_artifact(page, key=artifact_key("result", run.run_id), description=result_line(result))

    def _look(self) -> _Shown:
        meter = self._session.meter
        return _Shown(round(100 * meter.fraction(), 1), meter.remaining().line(), self._session.run.journal.steps())

    def _draw(self) -> None:
        with get_client(sync_client=True) as client:
            took = 0.0
            while not self._ended.wait(max(_REFRESH_SECONDS, _REST * took)):
                began = time.monotonic()
                self._send(client)
                took = time.monotonic() - began
            self._send(client)

    def _send(self, client: SyncPrefectClient) -> None:
        with self._lock:
            names, self._names = self._names, {}
            shown, self._latest = self._latest, None
        try:
            for flow_run_id, (name, tags) in names.items():
                client.update_flow_run(UUID(flow_run_id), name=name, tags=tags)
            if shown is not None:
                self._show(client, shown)
        # Prefect's client asserts that it has an answer, which it has not where its retries are cut short.
        except (httpx.HTTPError, PrefectException, AssertionError) as error:
            _LOG.debug("The page of the run is not up to date: %s", error)
            with self._lock:
                self._names = {**names, **self._names}
                self._latest = self._latest or shown

    def _show(self, client: SyncPrefectClient, shown: _Shown) -> None:
        run_id = self._session.run.run_id
        progress = ArtifactCreate(
            type="progress",
            key=artifact_key("progress", run_id),
            description=shown.spent,
            data=shown.percent,
            flow_run_id=self._flow_run,
        )
        table = ArtifactCreate(
            type="markdown",
            key=artifact_key("steps", run_id),
            description="The latest steps",
            data=step_table(shown.steps),
            flow_run_id=self._flow_run,
        )
        self._progress = _put(client, self._progress, progress)
        self._table = _put(client, self._table, table)


def _put(client: SyncPrefectClient, known: UUID | None, artifact: ArtifactCreate) -> UUID:
    """Make an artifact, or change the one that there is."""
    if known is None:
        return client.create_artifact(artifact).id
    client.update_artifact(known, ArtifactUpdate(data=artifact.data, description=artifact.description))
    return known
