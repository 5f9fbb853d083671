"""Makes at installation what the first run of a user would wait for: the databases that homes copy.

Run as ``python -m flows.services.first_home``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from environment.mlflow.database import open_client
from flows.services.server import prefect_service
from flows.settings import Settings


def main() -> None:
    """Start all that a run needs in a home folder of its own, which is removed again."""
    with tempfile.TemporaryDirectory(prefix="mlab-first-home-") as folder:
        server = prefect_service(Settings(home=Path(folder)))
        server.begin()
        open_client(f"sqlite:///{folder}/mlflow.db")
        server.ensure()
        server.stop()


if __name__ == "__main__":
    main()
