"""Makes a task's data once: ``public/`` for the workspace, ``private/`` for the grader alone."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from foundation.disk import meaning_full
from foundation.faults import with_place
from foundation.locks import locked
from foundation.records import Record
from foundation.sizes import MiB
from tasks_catalog.library.data.digest import content_digest
from tasks_catalog.library.data.sources import Sources
from tasks_catalog.library.errors import NotFetchedError, PrepareError, TaskError, mistakes_of
from tasks_catalog.library.extras import check_extras
from tasks_catalog.library.foreign_code import RunForeign, never
from tasks_catalog.library.modules import load_module
from tasks_catalog.library.scripts import check_scripts
from tasks_catalog.library.spec import Task, Variant, VariantSpec


@dataclass(frozen=True)
class PrepareJob:
    """What a task's ``prepare.py`` gets: ``prepare(job)`` fills the two folders, which exist and are empty.

    Attributes:
        run_foreign: Runs code that others wrote, where an imported task brings some.
    """

    variant: Variant
    public: Path
    private: Path
    sources: Sources
    run_foreign: RunForeign = never


class Prepared(Record):
    """A task's data on this machine, the checksum of its content, and where its raw files are kept."""

    public: Path
    private: Path
    digest: str
    downloads: Path


class _Marker(Record):
    """Written last: the data is whole, and was made by this recipe."""

    recipe: str
    digest: str


_OF_OTHERS = ("competition", "scripts")
"""Folders of an imported task that its ``prepare.py`` calls or lays out."""


def prepare(
    task: Task,
    variant: Variant,
    destination: Path,
    downloads: Path,
    raw: Path | None = None,
    *,
    force: bool = False,
    run_foreign: RunForeign = never,
) -> Prepared:
    """Make ``destination/public`` and ``destination/private``, or return at once where they are made already.

    Works beside the destination and renames at the end, so that a killed prepare leaves nothing that
    looks done; several at once wait for the first.

    Args:
        task: The task.
        variant: Which of its data.
        destination: The folder to make.
        downloads: Where raw files are kept between prepares.
        raw: A folder of raw files fetched by hand, used instead of the network.
        force: Make the data anew even where it is there.
        run_foreign: Runs code that others wrote, where an imported task brings some.

    Raises:
        TaskError: The task has no such variant, or its scripts cannot be called.
        FullDiskError: The disk has become full meanwhile.
        MissingExtraError: Libraries are missing.
        PrepareError: No disk, no network, no credentials, a wrong checksum, or a mistake in ``prepare.py``.
    """
    wanted = task.spec.variants.get(variant)
    if wanted is None:
        raise TaskError(f"The task {task.name} has no {variant.value} variant")
    check_extras(task.spec.extras, task=task.name)
    check_scripts(task)
    destination.parent.mkdir(parents=True, exist_ok=True)
    with locked(destination.with_name(f".{destination.name}.lock")):
        done = None if force else _already_prepared(task, wanted, destination, downloads)
        sources = Sources(downloads=downloads, raw=raw)
        return done or _prepare(task, variant, wanted, destination, sources, run_foreign)


def _already_prepared(task: Task, wanted: VariantSpec, destination: Path, downloads: Path) -> Prepared | None:
    try:
        marker = _Marker.model_validate_json(_marker(destination).read_bytes())
    except (OSError, ValidationError):
        return None
    prepared = _prepared(destination, marker.digest, downloads)
    whole = prepared.public.is_dir() and prepared.private.is_dir()
    # The recipe is what the task's folder holds; the digest tells when what it calls has changed.
    current = marker.recipe == _recipe(task) and wanted.digest in (None, marker.digest)
    return prepared if whole and current else None


def _prepare(
    task: Task, variant: Variant, wanted: VariantSpec, destination: Path, sources: Sources, run_foreign: RunForeign
) -> Prepared:
    if sources.raw is not None and not sources.raw.is_dir():
        raise PrepareError(f"{sources.raw} is no folder", hint="--raw takes the folder that holds the raw files.")
    check_disk(destination.parent, wanted.disk_mib + (0 if sources.raw else wanted.download_mib))
    partial = destination.with_name(f".{destination.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    job = PrepareJob(variant, partial / "public", partial / "private", sources, run_foreign)
    job.public.mkdir(parents=True)
    job.private.mkdir()
    try:
        with mistakes_of(task.prepare_script, task.name):
            _prepare_function(task)(job)
    except NotFetchedError as error:
        call = f"mlab prepare {_typed(task)} --variant {variant.value} --raw DIR"
        by_hand = f"Files fetched by hand go in with: {call}"
        raise type(error)(error.message, hint="\n".join(filter(None, (error.hint, by_hand)))) from error
    except OSError as error:
        if full := meaning_full(error):
            raise full from error
        raise PrepareError(
            f"{task.prepare_script.name} of {task.name} failed: {with_place(error)}",
            hint="It writes to job.public and job.private; files from elsewhere come by job.sources.",
        ) from error
    if not task.spec.drawn and not any(path.is_file() for path in partial.rglob("*")):
        raise PrepareError(
            f"{task.prepare_script.name} of {task.name} ended well and wrote no file",
            hint="It fills job.public, which the agent sees as data/, and job.private, which only grade.py sees.",
        )
    digest = content_digest(job.public, job.private)
    if wanted.digest is not None and digest != wanted.digest:
        raise PrepareError(
            f"The {variant.value} data of {task.name} has the content digest {digest}, expected {wanted.digest}",
            hint="The source has changed, or a library that makes the data; scores would not compare.",
        )
    _marker(partial).write_text(_Marker(recipe=_recipe(task), digest=digest).model_dump_json(), encoding="utf-8")
    shutil.rmtree(destination, ignore_errors=True)
    partial.rename(destination)
    return _prepared(destination, digest, sources.downloads)


def _typed(task: Task) -> str:
    """How a person names the task in a command: by name where it ships, else by its folder."""
    return task.name if task.root.parent == Path(__file__).parents[1] else shlex.quote(str(task.root))


def check_disk(folder: Path, needed_mib: float) -> None:
    """Make sure that ``folder`` has room.

    Raises:
        PrepareError: It has not.
    """
    free_mib = shutil.disk_usage(folder).free / MiB
    if free_mib < needed_mib:
        raise PrepareError(
            f"{folder} has {free_mib:,.0f} MiB free, and the data needs {needed_mib:,.0f} MiB",
            hint="Free some space, or put the data elsewhere with MLAB_HOME.",
        )


def _prepare_function(task: Task) -> Callable[[PrepareJob], None]:
    module = load_module(task.prepare_script, f"prepare_{task.name.replace('-', '_')}")
    return cast(Callable[[PrepareJob], None], module.prepare)


def _recipe(task: Task) -> str:
    """What makes the data: ``prepare.py``, which all imported tasks share, and what others' folders hold."""
    recipe = hashlib.sha256(task.prepare_script.read_bytes())
    for path in sorted(path for name in _OF_OTHERS for path in (task.root / name).rglob("*")):
        if path.is_file() and path.parent.name != "__pycache__":
            status = path.stat()
            content = path.read_bytes() if status.st_size <= MiB else f"{status.st_size} {status.st_mtime_ns}".encode()
            recipe.update(f"{path.relative_to(task.root)}\0".encode() + hashlib.sha256(content).digest())
    return recipe.hexdigest()


def _marker(destination: Path) -> Path:
    return destination / "prepared.json"


def _prepared(destination: Path, digest: str, downloads: Path) -> Prepared:
    public, private = destination / "public", destination / "private"
    return Prepared(public=public, private=private, digest=digest, downloads=downloads)
