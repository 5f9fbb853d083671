"""Earlier contents of the files the agent changed, for Undo Edit Script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import JsonValue, TypeAdapter

from environment.errors import ActionError
from environment.store import Store
from environment.workspace.folder import Workspace

_State = TypeAdapter(dict[str, list[str | None]])


class EditHistory:
    """A stack of earlier contents for each file, kept in the store by digest.

    Digests and not files: two edits in one second stay two, sub-folders need no care, the agent's
    workspace holds no backups, and the whole history is a small JSON value.
    """

    def __init__(self, workspace: Workspace, store: Store) -> None:
        self._workspace = workspace
        self._store = store
        self._contents: dict[str, list[str | None]] = {}

    @contextmanager
    def changing(self, path: str) -> Iterator[None]:
        """Remember a file, or that there is none, before the change made in this context; not if it fails."""
        self._workspace.resolve(path, write=True)
        stack = self._contents.setdefault(self._workspace.name(path), [])
        stack.append(self._keep(path))
        try:
            yield
        except ActionError:
            stack.pop()
            raise

    def undo(self, path: str) -> bytes | None:
        """Put back the content before the last change; ``None`` where there was no file.

        Raises:
            LookupError: There is no change to undo.
            ActionError: The content cannot be put back.
        """
        stack = self._contents.get(self._workspace.name(path))
        if not stack:
            raise LookupError(path)
        digest = stack[-1]
        content = None if digest is None else self._store.get_object(digest)
        if content is not None:
            self._workspace.write(path, content)
        elif self._workspace.exists(path):
            self._workspace.remove(path)
        stack.pop()
        return content

    def state(self) -> JsonValue:
        """All of it, as JSON."""
        return {name: [*stack] for name, stack in self._contents.items() if stack}

    def restore(self, state: JsonValue) -> None:
        """Take up what ``state`` returned."""
        self._contents = _State.validate_python(state or {})

    def _keep(self, path: str) -> str | None:
        if not self._workspace.exists(path):
            return None
        with self._workspace.reading(path):
            return self._store.put_object(self._workspace.resolve(path))
