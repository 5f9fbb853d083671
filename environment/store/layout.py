"""Where everything lies in the store and on this machine; no path is joined anywhere else."""

from __future__ import annotations

from pathlib import Path

from foundation.records import Record
from tasks_catalog.library.spec import Variant


class RunKeys(Record):
    """Keys of one benchmark run's objects in the store."""

    run_id: str

    @property
    def prefix(self) -> str:
        """All keys of the run start with it."""
        return f"{RUNS}{self.run_id}/"

    @property
    def config(self) -> str:
        """``config.json``: what was asked."""
        return f"{self.prefix}config.json"

    @property
    def lock(self) -> str:
        """``lock.json``: what it depends on."""
        return f"{self.prefix}lock.json"

    @property
    def result(self) -> str:
        """``result.json``: written last of all."""
        return f"{self.prefix}result.json"

    @property
    def failure(self) -> str:
        """``failure.json``: why a run of a sweep will never have a result."""
        return f"{self.prefix}failure.json"

    @property
    def agent_error(self) -> str:
        """``agent_error.txt``: the traceback of the last exception in the agent's own code."""
        return f"{self.prefix}agent_error.txt"

    @property
    def secret(self) -> str:
        """``secret.json``: what the run's hidden inputs are drawn from; for graders alone."""
        return f"{self.prefix}secret.json"

    @property
    def steps(self) -> str:
        """A folder per step."""
        return f"{self.prefix}steps/"

    @property
    def leases(self) -> str:
        """Who works the run, or did last."""
        return f"{self.prefix}lease/"

    def flow_run(self, flow_run_id: str) -> str:
        """Where one Prefect flow run took the run up."""
        return f"{self.prefix}flow_runs/{flow_run_id}.json"

    def decided(self, n: int) -> str:
        """The decision of step ``n``."""
        return f"{self.steps}{n:05d}/decided.json"

    def executed(self, n: int) -> str:
        """The effect of step ``n``."""
        return f"{self.steps}{n:05d}/executed.json"

    def committed(self, n: int) -> str:
        """The checkpoint of step ``n``; the step exists when this does."""
        return f"{self.steps}{n:05d}/committed.json"

    def call(self, key: str) -> str:
        """One recorded model answer."""
        return f"{self.prefix}calls/{key}.json"

    @property
    def judgement(self) -> str:
        """``judgement.json``: what a language model says of the run, where it was asked."""
        return f"{self.prefix}judgement.json"

    @property
    def memory(self) -> str:
        """``memory.json``: what the agent may recall of earlier runs, as it was when the run began."""
        return f"{self.prefix}memory.json"

    def table(self, name: str) -> str:
        """``trajectory``, ``evidence``, ``claims`` or ``grades``."""
        return f"{self.prefix}{name}.parquet"

    def plain_rows(self, name: str) -> str:
        """``claims.json``: the rows of the table in plain text, for commands that load nothing that reads Parquet."""
        return f"{self.prefix}{name}.json"


OBJECTS = "objects/"
"""Content by its digest, shared by all runs."""
RUNS = "runs/"
"""A folder per benchmark run."""


WAITING = "waiting/mlflow/"
"""Runs that MLflow does not show whole yet."""


def waiting_key(run_id: str) -> str:
    """Says that a run waits to be shown in MLflow."""
    return f"{WAITING}{run_id}"


def lease_key(folder: str, generation: int) -> str:
    """One holder's lease; the highest generation is in force."""
    return f"{folder}{generation:05d}.json"


SWEEPS = "sweeps/"


def sweep_key(name: str) -> str:
    """What a sweep was to run, and the ids of its runs."""
    return f"{SWEEPS}{name}.json"


def sweep_leases(digest: str) -> str:
    """Who makes the runs of which this is the digest, or did last."""
    return f"{SWEEPS}leases/{digest}/"


def memory_key(name: str) -> str:
    """A knowledge base."""
    return f"memory/{name}.json"


def object_key(digest: str) -> str:
    """The key of a content-addressed object; ``digest`` is the SHA-256 of its content in hex."""
    return f"{OBJECTS}{digest[:2]}/{digest}"


class LocalLayout(Record):
    """Folders on this machine. ``home`` holds what the machine owns; the store may be elsewhere."""

    home: Path

    @property
    def store(self) -> Path:
        """The default store."""
        return self.home / "store"

    @property
    def prefect(self) -> Path:
        """Prefect's home: database, results, profile, server record."""
        return self.home / "prefect"

    @property
    def password(self) -> Path:
        """``user:password`` of the local servers, for the owner's eyes alone."""
        return self.home / "password"

    @property
    def worker(self) -> Path:
        """Record and log of the local worker."""
        return self.home / "worker"

    @property
    def mlflow_database(self) -> Path:
        """The default MLflow store."""
        return self.home / "mlflow" / "mlflow.db"

    @property
    def mlflow_artifacts(self) -> Path:
        """Artifacts of the default MLflow store."""
        return self.home / "mlflow" / "artifacts"

    @property
    def data(self) -> Path:
        """Prepared task data."""
        return self.home / "data"

    def task_data(self, task: str, variant: Variant) -> Path:
        """``public/`` and ``private/`` of one task and variant."""
        return self.data / task / variant.value

    @property
    def scratch(self) -> Path:
        """Temporary files and live workspaces, which the store can restore: a folder a process."""
        return self.home / "scratch"

    @property
    def downloads(self) -> Path:
        """Raw files as fetched, kept between prepares."""
        return self.home / "downloads"

    @property
    def probes(self) -> Path:
        """Task folders of the planning probe."""
        return self.home / "probes"

    @property
    def reports(self) -> Path:
        """Where reports are written by default."""
        return self.home / "reports"

    def report_of(self, run_id: str) -> Path:
        """The folder of the report that a run writes at its end."""
        return self.reports / run_id
