"""Things that are found by name: built in, or offered by an installed package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Generic, NamedTuple, TypeVar, cast

from foundation.errors import MlabError
from foundation.faults import with_place
from foundation.records import Record
from foundation.text import known_names

T = TypeVar("T")


class PluginError(MlabError):
    """What a package offers under a name cannot be used."""


class PluginNotFoundError(PluginError):
    """Nothing of that kind has the name."""


class BuiltIn(NamedTuple):
    """A line of a registry."""

    where: str
    """``module:attribute``"""
    help: str


class Plugin(Record):
    """One thing that can be named.

    Attributes:
        name: What it is called.
        where: ``module:attribute``.
        help: One line about it.
        package: The package that offers it; ``None`` for what is built in.
    """

    name: str
    where: str
    help: str
    package: str | None = None


class Plugins(Generic[T]):
    """A registry: one kind of thing, by name. Nothing is imported before it is asked for.

    A package adds to it by an entry point of the group ``mlab.<kind>``; what is built in cannot be replaced.

    Args:
        kind: What the things are, in the plural: ``agents``.
        built_in: Those of this project, by name.
    """

    def __init__(self, kind: str, built_in: Mapping[str, BuiltIn]) -> None:
        self.kind = kind
        self.built_in = built_in

    @property
    def group(self) -> str:
        """The group of entry points under which packages offer more."""
        return f"mlab.{self.kind}"

    def names(self) -> list[str]:
        """All names, those built in first."""
        return [*self.built_in, *self._offered]

    def __contains__(self, name: str) -> bool:
        """Whether there is one of that name."""
        return name in self.built_in or name in self._offered

    def listing(self) -> list[Plugin]:
        """All of them with a line each."""
        ours = [Plugin(name=name, where=line.where, help=line.help) for name, line in self.built_in.items()]
        theirs = [
            Plugin(name=name, where=entry.value, help="offered by a package", package=_package(entry))
            for name, entry in self._offered.items()
        ]
        return ours + theirs

    def load(self, name: str) -> T:
        """The thing of that name.

        Raises:
            PluginNotFoundError: There is none.
            PluginError: A package offers it, and it cannot be imported.
        """
        if line := self.built_in.get(name):
            module, _, attribute = line.where.partition(":")
            return cast(T, getattr(import_module(module), attribute))
        if entry := self._offered.get(name):
            try:
                return cast(T, entry.load())
            except (Exception, SystemExit) as error:  # what a package does as it is imported may fail in any way
                raise PluginError(
                    f"{name!r} of the {self.kind} ({entry.value}) cannot be imported: {with_place(error)}",
                    hint="Repair or uninstall the package that offers it.",
                ) from error
        raise PluginNotFoundError(f"None of the {self.kind} is called {name!r}", hint=known_names(name, self.names()))

    def everything(self) -> dict[str, T]:
        """All things by name.

        Raises:
            PluginError: A package offers one that cannot be imported.
        """
        return dict(self.each())

    def each(self) -> Iterator[tuple[str, T]]:
        """All things and their names, those built in first: packages are looked through for who asks on.

        Raises:
            PluginError: As in ``everything``.
        """
        for names in (lambda: self.built_in, lambda: self._offered):
            for name in names():
                yield name, self.load(name)

    @property
    def _offered(self) -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in offered_in(self.group) if entry.name not in self.built_in}


def offered_in(group: str) -> EntryPoints:
    """What installed packages offer in a group of entry points."""
    return _choosing(tuple(sys.path))(group=group)


@cache
def _choosing(_path: tuple[str, ...]) -> Callable[..., EntryPoints]:
    """Chooses among those of all groups, looked up once: hundreds of packages are read for it."""
    return entry_points().select


def _package(entry: EntryPoint) -> str | None:
    return entry.dist.name if entry.dist else None
