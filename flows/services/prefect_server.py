"""Prefect's server, as ``prefect_changes`` makes it: it ends once it is of no use, and answers no page but its own.

Run as ``python -m flows.services.prefect_server PORT IDLE_SECONDS``; everything else comes from Prefect's own settings.
"""

from __future__ import annotations

import gc
import os
import sys

from flows.services.variables import DATABASE_VARIABLE

_SHUTDOWN_SECONDS = 10


def main() -> None:
    """Serve until terminated."""
    # Imports leave little that can be collected, and looking for it takes a fifth of their time.
    gc.disable()
    from flows.services.late_building import build_late

    build_late()
    import uvicorn
    from prefect.server.api.server import create_app
    from prefect.settings import PREFECT_HOME, PREFECT_SERVER_API_HOST

    from flows.services.held_polls import HeldPolls
    from flows.services.idling import Activity, end_when_unused
    from flows.services.own_pages import OwnPages
    from flows.services.prefect_changes import change, hand_out, make_database_ready
    from flows.services.sign_in import SignIn

    change()
    if DATABASE_VARIABLE not in os.environ:
        make_database_ready()
    port, idle_seconds = int(sys.argv[1]), float(sys.argv[2])
    host = PREFECT_SERVER_API_HOST.value()
    gc.freeze()  # else what Prefect collects as it makes the app is looked for in all that was imported
    app = create_app(final=True)
    hand_out(app)
    polled = HeldPolls(SignIn(app), lambda: server.should_exit)
    activity = Activity(OwnPages.listening_on(host, polled))
    gc.freeze()
    gc.enable()
    server = uvicorn.Server(
        uvicorn.Config(
            activity,
            host=host,
            port=port,
            log_level="warning",
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
    )
    end_when_unused(server, activity, PREFECT_HOME.value(), idle_seconds)
    server.run()


if __name__ == "__main__":
    main()
