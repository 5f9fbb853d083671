"""A real S3 API server on loopback."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from moto.server import ThreadedMotoServer

BUCKET = "mlab-store"


@contextmanager
def s3_server(address: str = "127.0.0.1") -> Iterator[dict[str, str]]:
    """Start a server with one empty bucket; yields the variables that lead there."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address=address, port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    variables = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    httpx.put(f"{variables['AWS_ENDPOINT_URL']}/{BUCKET}").raise_for_status()
    try:
        yield variables
    finally:
        server.stop()
