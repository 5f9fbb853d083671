"""Settings of this machine, from ``MLAB_*`` variables, a ``.env`` file, ``mlab.toml``, and the tools' own variables."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, TypeAdapter, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from environment.gpus.choice import AUTO, Gpus
from environment.store import LocalLayout
from flows.config_files import ConfigFile, config_files, is_no_number, settings_of, unreadable
from flows.errors import UsageError
from foundation.text import shown
from foundation.validation import faults

if TYPE_CHECKING:
    from environment.gpus.card import Card
    from environment.sandbox import Sandbox

_HOME = (
    "MLAB_HOME names a folder for all that this machine keeps; it is made where it is missing. "
    "Set it to one that you can write to."
)
_SETTING = "The file holds settings as `mlab config` lists them, with text in quotes; mend that line or remove it."
_READ_OTHERWISE = re.compile(r"\?|%[0-9A-Fa-f]{2}")
"""What an address of a database takes for the end of a path, or for another character."""
_ADDRESS = re.compile(r"/[a-z][a-z0-9+.-]*:/")
"""What is left of the beginning of a URL in a path."""
LOOPBACK = "127.0.0.1"
ENV_FILE = ".env"

_CHOSEN: ContextVar[dict[str, Any] | None] = ContextVar("chosen settings", default=None)
"""What options of the command line say, over variables and files."""


class Settings(BaseSettings):
    """Where things lie and which servers are used; every part has a default that needs nothing running."""

    model_config = SettingsConfigDict(
        env_prefix="MLAB_", env_file=ENV_FILE, env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("mlab")),
        description="folder for all that this machine keeps",
    )
    store: str | None = Field(default=None, description="fsspec URL of the store; default: a folder in home")
    mlflow_tracking_uri: str | None = Field(
        default=None,
        validation_alias=AliasChoices("MLFLOW_TRACKING_URI", "mlflow_tracking_uri"),
        description="default: SQLite in home",
    )
    prefect_api_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("PREFECT_API_URL", "prefect_api_url"),
        description="default: a server that the first run starts",
    )
    sandbox_image: str | None = Field(
        default=None, description="image of the Docker sandbox; default: this machine's own Python, read-only"
    )
    gpus: Gpus = Field(default=AUTO, description="cards of runs that ask for none in particular: as mlab run --gpus")
    gpu_leases: Path = Field(
        default=Path("/tmp/mlab-gpus"), description="where runs note which card they use; the same for all who share"
    )
    literature_feed: Path | None = Field(
        default=None, description="saved Atom feed that Search Literature searches in place of arXiv"
    )
    unsafe_no_sandbox: bool = Field(default=False, description="allow --sandbox none")
    host: str = Field(default=LOOPBACK, description="where the servers of mlab ui listen")
    auth: SecretStr | None = Field(
        default=None, description="user:password that the servers of mlab ui ask for; default: one kept in home"
    )

    server_idle_seconds: float = Field(
        default=3_600, gt=0, description="after which a local Prefect server that nobody asks ends itself"
    )

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**((_CHOSEN.get() or {}) | values))
        except ValidationError as error:
            # The value itself may be a password, so it is not shown.
            raise UsageError(
                "A setting of this machine has no value that can be used.\n" + "\n".join(faults(error)),
                hint="Settings come from MLAB_… variables and the files .env and mlab.toml; `mlab config` says which.",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise unreadable(Path(ENV_FILE), error) from error
        self._check_home()

    @field_validator("home")
    @classmethod
    def _absolute(cls, home: Path) -> Path:
        try:
            return home.expanduser().absolute()
        except (OSError, RuntimeError):
            return home  # what cannot be found is told as a home that cannot be used

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Options, then variables, then ``.env``, then ``mlab.toml``."""
        del file_secret_settings
        files = config_files()
        values = settings_of(files)
        if unknown := sorted(values.keys() - cls.model_fields.keys()):
            raise UsageError(
                f"mlab.toml has settings that there are not: {', '.join(map(shown, unknown))}",
                hint=f"There are: {', '.join(cls.model_fields)}; defaults of a command stand in a table of its name.",
            )
        cls._check_files(files)
        return init_settings, env_settings, dotenv_settings, InitSettingsSource(settings_cls, values)

    @classmethod
    def _check_files(cls, files: Sequence[ConfigFile]) -> None:
        """Each value by itself, also one that a variable speaks over: that hides the mistake until it is unset."""
        for file in files:
            for name, value in file.settings.items():
                if is_no_number(value) and cls.model_fields[name].annotation is not bool:
                    raise UsageError(f"{file.place_of(name)}: {name} is not true or false", hint=_SETTING)
                try:
                    TypeAdapter(cls.model_fields[name].rebuild_annotation()).validate_python(value)
                except ValidationError as error:
                    said = faults(error, prefix=name)[0]
                    raise UsageError(f"{file.place_of(name)}: {said}", hint=_SETTING) from None

    def _check_home(self) -> None:
        """A home that is or lies below a file can never be made, and some names no database can be reached by."""
        try:
            home = self.layout.home
            there = next(path for path in (home, *home.parents) if path.exists())
            usable = there.is_dir()
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"The home folder {shown(str(self.home))} cannot be used: {error}", hint=_HOME) from None
        if not usable:
            raise UsageError(f"The home folder {shown(str(home))} cannot be made: {there} is no folder.", hint=_HOME)
        if _ADDRESS.search(str(home)):
            said = "is the address of something else than a folder of this machine."
            raise UsageError(f"The home {shown(str(self.home))} {said}", hint=f"{_HOME} MLAB_STORE takes a URL.")
        if found := _READ_OTHERWISE.search(str(home)):
            said = f"has {found[0]} in its name, by which no database in it is found."
            raise UsageError(f"The home folder {shown(str(home))} {said}", hint=_HOME)

    @property
    def layout(self) -> LocalLayout:
        """The folders of this machine."""
        return LocalLayout(home=self.home.expanduser().resolve())

    def make_home(self) -> None:
        """Make the home folder where it is missing, for its owner alone; one that is there keeps its mode.

        Raises:
            UsageError: It cannot be made, or nothing can be written to it.
        """
        home = self.layout.home
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=home).close()
        except OSError as error:
            said = f"The home folder {shown(str(home))} cannot be written: {error.strerror}"
            raise UsageError(said, hint=_HOME) from error

    @property
    def store_url(self) -> str:
        """The store in use."""
        return self.store or str(self.layout.store)

    @property
    def mlflow_uri(self) -> str:
        """The MLflow store or server in use."""
        return self.mlflow_tracking_uri or f"sqlite:///{self.layout.mlflow_database}"

    def open_sandbox(self, kind: str, label: str, cards: Sequence[Card] = ()) -> Sandbox:
        """Open a sandbox as this machine is set up; raises as ``environment.sandbox.open_sandbox`` does."""
        from environment.sandbox import open_sandbox

        return open_sandbox(kind, label=label, image=self.sandbox_image, unsafe=self.unsafe_no_sandbox, cards=cards)


def choose(**values: Any) -> None:
    """Let options of the command line speak over variables and files, for all that this command does."""
    _CHOSEN.set({**(_CHOSEN.get() or {}), **values})
