"""Databases in which agents keep what they did: opencode's and Kilo's, goose's, Crush's, Kiro's, ShinkaEvolve's.

A run a session, and of ShinkaEvolve one a search.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from evaluation.importers.agents.kiro import of_turns
from evaluation.importers.agents.opencode import of_session
from evaluation.importers.ending import by_last_step, span
from evaluation.importers.errors import LogError
from evaluation.importers.harnesses.evolution import Program, log_of
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import conversation
from evaluation.importers.parsing import figure, mapping, text
from evaluation.record.log import RunLog

_BEGINS = b"SQLite format 3\0"
_SUFFIXES = (".db", ".sqlite", ".sqlite3")
_BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside a database that is in use."""
Row = Mapping[str, Any]


def _opencode(found: Found, database: sqlite3.Connection) -> Iterator[RunLog]:
    for session in _rows(database, "SELECT * FROM session ORDER BY time_created"):
        messages = [
            {
                "info": {**_json(message["data"], {}), "id": message["id"]},
                "parts": [
                    _json(part["data"], {})
                    for part in _rows(database, "SELECT data FROM part WHERE message_id = ? ORDER BY id", message["id"])
                ],
            }
            for message in _rows(
                database, "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", session["id"]
            )
        ]
        if messages:
            times = {"created": session["time_created"], "updated": session["time_updated"]}
            about = {"directory": session["directory"], "title": session["title"], "time": times}
            yield of_session(found, f"{found.source}/{session['id']}", about, messages)


def _goose(found: Found, database: sqlite3.Connection) -> Iterator[RunLog]:
    for session in _rows(database, "SELECT * FROM sessions ORDER BY created_at"):
        rows = _rows(
            database, "SELECT * FROM messages WHERE session_id = ? ORDER BY created_timestamp, id", session["id"]
        )
        messages = [{"role": row["role"], "content": _json(row["content_json"], [])} for row in rows]
        model = mapping(_json(session.get("model_config_json"), {})).get("model_name")
        tokens = figure(session.get("accumulated_total_tokens")) or figure(session.get("total_tokens"))
        about = {"model": model, "tokens": tokens, "folder": session.get("working_dir"), "title": session.get("name")}
        times = (session.get("created_at"), session.get("updated_at"))
        yield from _log(found, session["id"], "goose", messages, about, times)


def _crush(found: Found, database: sqlite3.Connection) -> Iterator[RunLog]:
    for session in _rows(database, "SELECT * FROM sessions ORDER BY created_at"):
        rows = list(_rows(database, "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at", session["id"]))
        messages = [{"role": row["role"], "content": _json(row["parts"], [])} for row in rows]
        tokens = [figure(session.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        about = {
            "model": next((row.get("model") for row in rows if row.get("model")), None),
            "tokens": sum(count or 0 for count in tokens) or None,
            "cost": figure(session.get("cost")) or None,
            "folder": found.path.resolve().parent.parent.as_posix() if found.path.parent.name == ".crush" else "",
            "title": session.get("title"),
        }
        yield from _log(found, session["id"], "crush", messages, about, (session["created_at"], session["updated_at"]))


def _kiro(found: Found, database: sqlite3.Connection) -> Iterator[RunLog]:
    yield from _of_folders(found, _rows(database, "SELECT * FROM conversations_v2 ORDER BY created_at"))


def _amazon_q(found: Found, database: sqlite3.Connection) -> Iterator[RunLog]:
    yield from _of_folders(found, _rows(database, "SELECT * FROM conversations"))


def _of_folders(found: Found, rows: Iterator[dict[str, Any]]) -> Iterator[RunLog]:
    for row in rows:
        conversation = mapping(_json(row["value"], {}))
        session = row.get("conversation_id") or text(conversation.get("conversation_id")) or row["key"]
        log = of_turns(found, conversation, f"{found.source}/{session}", text(row["key"]))
        if log.steps:
            yield log


def _shinka(found: Found, database: sqlite3.Connection) -> Iterator[RunLog]:
    rows = _rows(database, "SELECT * FROM programs ORDER BY generation, timestamp")
    programs = map(_program_of_shinka, rows)
    yield log_of(found, programs, agent="shinkaevolve", task=found.path.resolve().parent.name)


def _program_of_shinka(row: Row) -> Program:
    about = mapping(_json(row["metadata"], {}))
    return Program(
        said=text(about.get("patch_description")),
        code=text(row["code"]),
        measured={"combined_score": row["combined_score"], **mapping(_json(row["public_metrics"], {}))},
        output="\n".join(filter(None, (text(about.get("stdout_log")), text(row.get("text_feedback"))))),
        failed=not row["correct"],
    )


def _log(
    found: Found, session: str, agent: str, messages: list[dict[str, Any]], about: Row, times: tuple[Any, Any]
) -> Iterator[RunLog]:
    turns, asked = conversation(messages)
    steps = turns.steps()
    if not steps:
        return
    yield RunLog(
        source=f"{found.source}/{session}",
        steps=steps,
        task=Path(text(about["folder"])).name or text(about["title"]),
        task_text="\n\n".join(asked),
        model=text(about["model"]) or None,
        agent=agent,
        tokens=int(about["tokens"]) if about["tokens"] else None,
        cost=about.get("cost"),
        **span(*times),
        **by_last_step(steps),
    )


_READERS: dict[frozenset[str], Callable[[Found, sqlite3.Connection], Iterator[RunLog]]] = {
    frozenset(["session.directory", "message.data", "part.message_id"]): _opencode,
    frozenset(["sessions.working_dir", "messages.content_json"]): _goose,
    frozenset(["sessions.prompt_tokens", "messages.parts"]): _crush,
    frozenset(["conversations_v2.key", "conversations_v2.value"]): _kiro,
    frozenset(["conversations.key", "conversations.value"]): _amazon_q,
    frozenset(["programs.combined_score", "programs.public_metrics"]): _shinka,
}
"""Who keeps a database, by columns that it has."""


def _rows(database: sqlite3.Connection, query: str, *given: str) -> Iterator[dict[str, Any]]:
    for row in database.execute(query, given):
        yield dict(row)


def _json(written: object, otherwise: Any) -> Any:
    try:
        return json.loads(text(written))
    except ValueError:
        return otherwise


def _open(path: Path) -> sqlite3.Connection:
    """A database, to be read alone: nothing is written beside it."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    return database


def _columns(database: sqlite3.Connection) -> set[str]:
    query = "SELECT m.name || '.' || p.name AS column FROM sqlite_master m, pragma_table_info(m.name) p"
    return {row["column"] for row in _rows(database, query)}


def _reader(path: Path) -> Callable[[Found, sqlite3.Connection], Iterator[RunLog]] | None:
    try:
        with closing(_open(path)) as database:
            columns = _columns(database)
    except sqlite3.Error as error:
        raise LogError(path, f"is a database that cannot be read: {error}") from error
    return next((reader for needed, reader in _READERS.items() if needed <= columns), None)


def _recognises(found: Found) -> bool:
    try:
        return not found.is_folder and _is_database(found.path) and _reader(found.path) is not None
    except LogError:
        if found.named:
            raise
        return False


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_BEGINS)) == _BEGINS


def _read(found: Found) -> Iterator[RunLog]:
    reader = _reader(found.path)
    found.used += [found.path.with_name(found.path.name + suffix) for suffix in _BESIDE]
    if reader is None:
        raise LogError(found.path, "holds no sessions of an agent that is known")
    with closing(_open(found.path)) as database:
        yield from reader(found, database)


DATABASES = Importer(recognises=_recognises, read=_read, suffixes=_SUFFIXES)
"""The format, as the registry names it."""
