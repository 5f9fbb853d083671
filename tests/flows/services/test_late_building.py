"""Routes that are built as they are asked."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi._compat import v2
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from pydantic import BaseModel

from flows.services.late_building import build_late


class Asked(BaseModel):
    """A body."""

    names: list[str]
    most: int = 3


@pytest.fixture(autouse=True)
def _built_as_ever_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(v2), "TypeAdapter", vars(v2)["TypeAdapter"])


def built_late() -> FastAPI:
    """An app as Prefect's server makes it."""
    build_late()
    app = FastAPI()

    @app.post("/sums/{factor}")
    def sums(factor: int, numbers: list[float], offset: float = 0.0) -> list[float]:
        return [factor * number + offset for number in numbers]

    @app.post("/names")
    def names(asked: Asked) -> list[Asked]:
        return [asked]

    return app


@pytest.mark.filterwarnings("error:The 'alias' attribute")
def test_a_route_is_built_with_the_first_that_asks_for_it() -> None:
    app = built_late()
    route = next(each for each in app.routes if isinstance(each, APIRoute) and each.path.startswith("/sums"))
    fields = [*route.dependant.path_params, *route.dependant.query_params]
    assert len(fields) == 2
    assert not any(field._type_adapter.pydantic_complete for field in fields)
    assert TestClient(app).post("/sums/2?offset=1", json=[1, 2.5]).json() == [3.0, 6.0]
    assert all(field._type_adapter.pydantic_complete for field in fields)


def test_what_is_asked_is_checked_and_described_as_ever() -> None:
    app = built_late()
    client = TestClient(app)
    assert client.post("/names", json={"names": ["a"]}).json() == [{"names": ["a"], "most": 3}]
    refused = client.post("/sums/two", json=["x"])
    assert (refused.status_code, len(refused.json()["detail"])) == (422, 2)
    described = client.get("/openapi.json").json()
    assert described["components"]["schemas"]["Asked"]["properties"]["most"]["default"] == 3
    assert described["paths"]["/sums/{factor}"]["post"]["parameters"][0]["schema"]["type"] == "integer"
