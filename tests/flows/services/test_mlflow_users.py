"""Who MLflow lets in follows MLAB_AUTH, not the first start of its server."""

from __future__ import annotations

from configparser import ConfigParser
from importlib.util import find_spec
from pathlib import Path

from flows.services.mlflow_pages import let_in
from flows.services.mlflow_server import USERS


def test_a_changed_password_or_user_is_the_only_one_that_opens(tmp_path: Path) -> None:
    from mlflow.server.auth.sqlalchemy_store import SqlAlchemyStore

    users = SqlAlchemyStore()
    vars(SqlAlchemyStore)["init_db"](users, f"sqlite:///{tmp_path / 'users.db'}")
    users.create_user("mlab", "the-first-password", is_admin=True)
    users.create_user("a-guest", "a-password-of-its-own")

    let_in(users, "mlab", "the-first-password")
    assert users.authenticate_user("mlab", "the-first-password")
    let_in(users, "mlab", "the-second-password")
    assert not users.authenticate_user("mlab", "the-first-password")
    assert users.authenticate_user("mlab", "the-second-password")

    users.create_user("alice", "the-third-password", is_admin=True)  # as MLflow does when it starts
    let_in(users, "alice", "the-third-password")
    assert {user.username for user in users.list_users()} == {"alice", "a-guest"}


def test_only_how_long_a_right_password_is_known_differs_from_what_mlflow_ships() -> None:
    mlflow = find_spec("mlflow")
    assert mlflow is not None
    assert mlflow.origin is not None
    shipped, ours = ConfigParser(), ConfigParser()
    assert shipped.read(Path(mlflow.origin).parent / "server" / "auth" / "basic_auth.ini")
    assert ours.read(USERS)
    assert int(ours["mlflow"].pop("auth_cache_ttl_seconds")) > 0
    assert ours == shipped
