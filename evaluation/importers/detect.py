"""Finds the logs under a path and reads each in its own format, one run at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from environment.records import EndedBy
from environment.records.display import counted
from evaluation.importers.ending import INTERRUPTED
from evaluation.importers.errors import LogError
from evaluation.importers.harnesses.harbor import logs_of, within_trial
from evaluation.importers.hints import about_texts, known_formats
from evaluation.importers.importer import SUFFIXES, Found, Importer
from evaluation.importers.long_outputs import shortened
from evaluation.importers.parsing import check_json_lines, check_packing, mapping
from evaluation.importers.registry import IMPORTERS
from evaluation.importers.reports import with_reports
from evaluation.importers.results import unread_note
from evaluation.record.log import RunLog

_FAULTS = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OSError)
"""What a reader stumbles over where a log is of a shape that its format does not have."""
_SHOWN = 200
"""Files that are named where no reader takes them; a folder of data may hold a hundred thousand."""
_PRINTED = (".txt", ".log", ".out")
_LINES = "Each of its lines must be a JSON object by itself; one that breaks off, or goes over several lines, is none."
_SKIPPED = frozenset({"node_modules", ".git", "tool_logs", "__pycache__", ".venv"})


@dataclass(frozen=True)
class Asked:
    """Which logs are wanted, and who is told what.

    Attributes:
        since: Logs that were last written to before are passed over.
        format: The one format to read, by its name in the registry; else each file says which is its own.
        on_error: Called for each log that cannot be read, and the next one is read; without it the first such log
            ends the reading.
        on_note: Called with what people should know: files that no reader takes, lines that are left out.
    """

    since: datetime | None = None
    format: str | None = None
    on_error: Callable[[LogError], None] | None = None
    on_note: Callable[[str], None] | None = None

    @property
    def importers(self) -> list[Importer]:
        """The formats that are asked, in order."""
        return [IMPORTERS.load(self.format)] if self.format else list(IMPORTERS.everything().values())

    @property
    def known(self) -> str:
        """What a person is told whose log is of none of the formats that are asked."""
        return known_formats(self.format)

    def note(self, words: str) -> None:
        """Tell something, where somebody listens."""
        if self.on_note:
            self.on_note(words)


def read_logs(
    path: Path, on_error: Callable[[LogError], None] | None = None, *, asked: Asked | None = None
) -> Iterator[RunLog]:
    """Read every log under a path.

    Args:
        path: A log file, a log folder, or a folder that holds many, at any depth.
        on_error: As in ``Asked``, where nothing else is asked.
        asked: Which logs are wanted.

    Raises:
        LogError: Nothing to read there, or a log is broken.
        PluginNotFoundError: No format has the name that is asked for.
    """
    asked = asked or Asked(on_error=on_error)
    if not _is_there(path):
        raise LogError(path, "does not exist")
    if not path.is_file() and not path.is_dir():
        raise LogError(path, "is neither a file nor a folder", hint="Logs are read from regular files.")
    if path.is_file() and path.stat().st_size == 0:
        raise LogError(path, "is empty")
    reading = _Reading(path, asked, asked.importers)
    yield from reading.logs(path)
    passed = reading.passed_over()
    if passed:
        shown = "".join(f"\n  {file}" for file in passed[:_SHOWN])
        shown += f"\n  and {len(passed) - _SHOWN} more" if len(passed) > _SHOWN else ""
        asked.note(f"No reader takes {len(passed)} of the files under {path}:{shown}")
    if not reading.found_any:
        raise reading.nothing()


@dataclass
class _Reading:
    """One walk through a folder."""

    root: Path
    asked: Asked
    importers: list[Importer]
    passed: list[Path] = field(default_factory=list)
    used: list[Path] = field(default_factory=list)
    too_old: list[datetime] = field(default_factory=list)
    found_any: bool = False

    def nothing(self) -> LogError:
        """What a person is told where no log was read: that all were passed over, or what would be one."""
        if not self.too_old:
            hint = f"{about_texts(self.passed)}{self.asked.known}"
            return LogError(self.root, "holds no log that can be read", hint=hint)
        newest = max(self.too_old).astimezone()
        passed = f"{counted(len(self.too_old), 'log')} passed over; the newest was last written to at"
        hint = f"{passed} {newest:%Y-%m-%d %H:%M}. An earlier --since, or none, reads it."
        return LogError(self.root, "holds no log of that time", hint=hint)

    def logs(self, at: Path) -> Iterator[RunLog]:
        """The runs of a file or folder, and of what lies in a folder that is no run itself."""
        found = Found(at, _source(at, self.root), named=at == self.root)
        try:
            importer = self._importer(found)
            if importer:
                self.found_any = self.found_any or not self.asked.since
                yield from self._runs(found, importer)
            elif found.is_folder:
                for child in logs_of(at, _children(at)):
                    if not child.is_symlink() and child.name not in _SKIPPED and not _is_of_workspaces(child):
                        yield from self.logs(child)
            else:
                self._pass_over(found)
        except LogError as error:
            self._tell(error)
        except _FAULTS as error:
            reason = f"{type(error).__name__}: {error}"
            said = f"is not as its format has it ({reason})"
            if self.asked.format:
                said = f"cannot be read as a log of the format {self.asked.format}"
            self._tell(LogError(at, said, hint=self.asked.known), error)

    def _tell(self, error: LogError, cause: Exception | None = None) -> None:
        self.found_any = True
        if self.asked.on_error is None:
            raise error from cause
        self.asked.on_error(error)

    def _importer(self, found: Found) -> Importer | None:
        """The reader of a file or folder; what somebody said to be of a format is not asked."""
        if found.named and not found.is_folder and self.asked.format:
            return self.importers[0]
        claiming = [] if found.is_folder else [each for each in self.importers if found.suffix in each.suffixes]
        if not found.is_folder and not found.named and not claiming and not _may_be_log(found):
            return None
        others = self.importers if found.named or found.has_lines or not claiming else []
        return next((importer for importer in (*claiming, *others) if importer.recognises(found)), None)

    def _runs(self, found: Found, importer: Importer) -> Iterator[RunLog]:
        since, before = self.asked.since, len(self.too_old)
        is_empty = True
        if since and (touched := _touched(found.path)) < since:
            self.too_old.append(touched)
            return
        for log in importer.read(found):
            if since and log.written and log.written < since:
                self.too_old.append(log.written)
                continue
            self.found_any, is_empty = True, False
            if found.torn and not log.steps:
                raise LogError(found.path, "holds no step that can be read", place=f"line {found.torn[0]}", hint=_LINES)
            if found.breaks_off and log.ended_by is EndedBy.FINAL_ANSWER:
                log = log.model_copy(update=INTERRUPTED)
            log, note = shortened(within_trial(found, log))
            for said in filter(None, (note, unread_note(log))):
                self.asked.note(f"{found.path}: {said}")
            yield log if importer.has_marked_prose else with_reports(log)
        self.used += found.used
        for note in found.notes:
            self.asked.note(f"{found.path}: {note}")
        if is_empty and found.named and len(self.too_old) == before:
            self._say_empty(found)

    def _say_empty(self, found: Found) -> None:
        """What somebody named, and its reader took nothing of: an error, unless a note says already what it is."""
        if self.asked.format:
            said = f"holds nothing that is read of a log of the format {self.asked.format}: no step of an agent"
            raise LogError(found.path, said, hint=self.asked.known)
        if not found.notes:
            raise LogError(found.path, "is a log in which nobody said or did anything: it holds no step of an agent")

    def _pass_over(self, found: Found) -> None:
        """A file that is no log: it is told, as an error where it must be one."""
        if found.suffix in SUFFIXES and found.has_lines and not found.named:
            check_json_lines(found.path)
        if found.named or found.suffix in (*SUFFIXES, *_PRINTED):
            check_packing(found.path)
        must_be_one = found.named or found.suffix == ".traj" or found.path.name == "journal.json"
        part = "" if found.has_lines or found.suffix not in SUFFIXES else _broken_part(found.json)
        if must_be_one or part:
            hint = f"{about_texts([found.path])}{self.asked.known}"
            raise LogError(found.path, "is no log of a known format", place=part, hint=hint)
        self.passed.append(found.path)

    def passed_over(self) -> list[Path]:
        """The files that no reader took, by itself or together with a log."""
        used = set(self.used)
        return [file for file in self.passed if used.isdisjoint((file, *file.parents))]


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no file can have
        return False


def _may_be_log(found: Found) -> bool:
    """Whether a file that nobody named is looked into: one of JSON, and what somebody kept of printed events."""
    return found.suffix in SUFFIXES or (found.suffix in _PRINTED and found.has_lines)


def _is_of_workspaces(folder: Path) -> bool:
    """Whether it is where MLAgentBench keeps its workspace after each step."""
    return folder.name == "traces" and folder.parent.name == "env_log"


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir() or child.is_file())
    except OSError as error:
        raise LogError(folder, f"cannot be read: {error.strerror or error}") from error


def _touched(path: Path) -> datetime:
    """When a file, or the newest file of a folder, was last written to."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return datetime.fromtimestamp(max((file.stat().st_mtime for file in files), default=0.0), UTC)


def _source(at: Path, root: Path) -> str:
    """A log's name: its place below the folder that was asked for, with that folder's own name."""
    if at == root:
        return at.as_posix()
    return (Path(root.name) / at.relative_to(root)).as_posix()


def _broken_part(data: object) -> str:
    """The part that only logs have, in JSON of no known format: what has one is a broken log."""
    keys = mapping(data).keys()
    if "trajectory" in keys:
        return "trajectory"
    return "steps" if "steps" in keys and not keys.isdisjoint({"source", "task_text"}) else ""
