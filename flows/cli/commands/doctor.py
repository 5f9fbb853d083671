"""``mlab doctor``: what works on this machine, and what to do about the rest."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Literal

from agent.models.factory import PROVIDERS, is_installed
from agent.models.secrets import read_secrets
from environment.errors import SandboxUnavailableError, StoreError
from environment.gpus.card import Card
from environment.gpus.cards import cards_here
from environment.gpus.leases import CardLease, CardLeases
from environment.journal.damage import Damage, RunCheck, damaged_objects
from environment.journal.runs import list_runs
from environment.mlflow.database import refuses
from environment.mlflow.mirror import trouble
from environment.records.display import counted
from environment.sandbox import available, cgroups, open_sandbox
from environment.store import Store
from environment.workspace.scratch import reap_scratch
from flows.cli.failure import FAILED
from flows.cli.output import print_json, print_table
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.services.found import servers_of_user
from flows.services.server import is_healthy, prefect_service
from flows.settings import Settings
from foundation.errors import MlabError
from foundation.records import Record
from foundation.sizes import GiB
from tasks_catalog.library.extras import DISTRIBUTION, how_to_install

State = Literal["ok", "missing", "failed"]
_STATES: dict[str, State] = {"passed": "ok", "skipped": "missing", "failed": "failed"}


class Finding(Record):
    """One thing that was looked at."""

    what: str
    state: State
    detail: str


def examine(*, conformance: bool, as_json: bool) -> None:
    """Print what was found; exits with 1 where something failed."""
    settings = Settings()
    findings = [*_versions(), *_folders(settings), *_content(settings), *_servers(settings), *_sandboxes()]
    findings.append(_gpus(settings))
    findings += _models()
    if conformance:
        findings += _conformance(settings)
    if as_json:
        print_json([finding.model_dump() for finding in findings])
    else:
        print_table([{"what": found.what, "state": found.state, "detail": found.detail} for found in findings])
    if any(found.state == "failed" for found in findings):
        raise SystemExit(FAILED)


def _versions() -> list[Finding]:
    names = (DISTRIBUTION, "prefect", "mlflow", "langchain", "docker")
    detail = ", ".join(f"{name} {version(name)}" for name in names)
    return [Finding(what="versions", state="ok", detail=f"Python {platform.python_version()}, {detail}")]


def _models() -> Iterator[Finding]:
    """Whose models can be asked: their libraries, and the names of their keys."""
    secrets = read_secrets()
    for name, provider in PROVIDERS.items():
        key = "needs no key"
        if provider.key:
            key = f"{provider.key} is set" if secrets.get(provider.key) else f"{provider.key} is not set"
        library = "installed" if is_installed(name) else f"not installed: {how_to_install(provider.extra)}"
        state: State = "ok" if library == "installed" and "not set" not in key else "missing"
        yield Finding(what=f"models {name}", state=state, detail=f"{key}; {library}")


def _folders(settings: Settings) -> list[Finding]:
    return [_home(settings), _store(settings), _scratch(settings)]


def _home(settings: Settings) -> Finding:
    try:
        settings.make_home()
    except UsageError as error:
        return Finding(what="home", state="failed", detail=error.sentence)
    home = settings.layout.home
    free = shutil.disk_usage(home).free / GiB
    return Finding(what="home", state="ok" if free > 1 else "failed", detail=f"{home}, {free:.0f} GiB free")


def _scratch(settings: Settings) -> Finding:
    removed = reap_scratch(settings.layout.scratch)
    return Finding(what="temporary files", state="ok", detail=f"{removed} folders of killed runs removed")


def _store(settings: Settings) -> Finding:
    try:
        store = Store(settings.store_url)
        store.put("doctor", b"written by mlab doctor")
        store.delete("doctor")
    except MlabError as error:
        return Finding(what="store", state="failed", detail=error.sentence)
    return Finding(what="store", state="ok", detail=settings.store_url)


def _content(settings: Settings) -> Iterator[Finding]:
    """What the store holds, read and held against its checksums; tables that are torn are made anew."""
    store, console = Store(settings.store_url), plain_console(stderr=True)
    try:
        with console.status("reading what the store holds") as status:
            damaged = damaged_objects(store, lambda n: status.update(f"reading what the store holds: {n:,} objects"))
            runs = list_runs(store)
            check = RunCheck(store, damaged)
            found = [damage for run_id in runs for damage in check.damage(run_id)]
    except StoreError as error:
        yield Finding(what="store content", state="failed", detail=error.sentence)
        return
    if not found:
        spare = f"; {len(damaged)} damaged objects that no run needs" if damaged else ""
        yield Finding(what="store content", state="ok", detail=f"{counted(len(runs), 'run')}, all whole{spare}")
    for damage in found:
        yield _mended(store, damage)


def _mended(store: Store, damage: Damage) -> Finding:
    """A damaged table is made again from the journal; all else is told."""
    said = damage.sentence
    if damage.table is not None and damage.table != "grades":
        # Reading a run brings statistics along.
        from evaluation.report.kept import rebuild_tables

        try:
            rebuild_tables(store, damage.run_id)
        except StoreError as error:
            said = f"{damage.key} cannot be made anew: {error.sentence}"
        else:
            return Finding(what=damage.run_id, state="ok", detail=f"{damage.key} was damaged and is made anew")
    return Finding(what=damage.run_id, state="failed", detail=said)


def _servers(settings: Settings) -> list[Finding]:
    if settings.prefect_api_url:
        works = is_healthy(settings.prefect_api_url)
        prefect = Finding(what="Prefect", state="ok" if works else "failed", detail=settings.prefect_api_url)
    else:
        record = prefect_service(settings).running()
        detail = f"{record.url}, process {record.pid}" if record else "not running; the next run starts it"
        prefect = Finding(what="Prefect", state="ok", detail=detail)
    running = [Finding(what=f"{found.name} server", state="ok", detail=found.sentence) for found in servers_of_user()]
    return [prefect, _mlflow(settings), *running]


def _mlflow(settings: Settings) -> Finding:
    uri = settings.mlflow_uri
    found = "nothing listens there" if refuses(uri) else trouble(uri)
    detail = f"{uri}: {found}; runs are kept in the store and shown later" if found else uri
    return Finding(what="MLflow", state="failed" if found else "ok", detail=detail)


def _sandboxes() -> Iterator[Finding]:
    for tried in available():
        yield Finding(what=f"sandbox {tried.kind}", state="ok" if tried.works else "missing", detail=tried.detail)
        if tried.held_by:
            held = ", ".join(f"{limit}: {by}" for limit, by in tried.held_by.model_dump().items())
            yield Finding(what=f"limits {tried.kind}", state="ok", detail=held)
    yield _control_groups()


def _control_groups() -> Finding:
    """Where they hold, as seen by doing; watchers hold the rest, so that none at all is no failure."""
    groups = cgroups.found()
    places = [f"{name} below {folder}" for name, folder in groups.hierarchy.parents.items()] if groups.hierarchy else []
    version = f"version {groups.hierarchy.version}: " if groups.hierarchy else "none holds a limit here"
    refused = f"; passed over: {'; '.join(groups.refusals)}" if groups.refusals else ""
    return Finding(
        what="control groups",
        state="ok" if groups.hierarchy else "missing",
        detail=f"{version}{', '.join(places)}{refused}",
    )


def _gpus(settings: Settings) -> Finding:
    try:
        cards = cards_here()
        held = CardLeases(settings.gpu_leases).holders(cards) if cards else {}
    except MlabError as error:
        return Finding(what="GPUs", state="failed", detail=error.sentence)
    if not cards:
        return Finding(what="GPUs", state="missing", detail="nvidia-smi tells of none; tasks run on the CPU")
    listed = (f"{card.index}: {card.model}, {held.get(card.index, 'free')}" for card in cards)
    return Finding(what="GPUs", state="ok", detail=f"driver {cards[0].driver}; {'; '.join(listed)}")


def _conformance(settings: Settings) -> Iterator[Finding]:
    cards = cards_here()
    lease = CardLeases(settings.gpu_leases).take(cards, 1, "the conformance suite") if cards else None
    with lease or CardLease() as lease:
        for found in available():
            if found.works:
                yield from _checks(found.kind, lease.cards)


def _checks(kind: str, cards: Sequence[Card]) -> Iterator[Finding]:
    from environment.sandbox.conformance import run_checks

    try:
        sandbox = open_sandbox(kind, label="conformance", cards=cards)
    except SandboxUnavailableError as error:
        yield Finding(what=f"{kind}: gpus", state="missing", detail=error.sentence)
        sandbox = open_sandbox(kind, label="conformance")
    for checked in run_checks(sandbox):
        yield Finding(
            what=f"{kind}: {checked.name}", state=_STATES[checked.outcome], detail=checked.reason or checked.proves
        )
