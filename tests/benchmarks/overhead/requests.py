"""Which requests a step sends to Prefect's server, beside those of a bare subflow; a load of the machine changes none.

Run as ``python -m tests.benchmarks.overhead.requests``, on the server of its environment, it prints counts as JSON.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence

from flows.services.variables import configure_process
from flows.settings import Settings
from tests.benchmarks.overhead.child import bare, ours
from tests.benchmarks.overhead.parts import Figures, new_home
from tests.benchmarks.overhead.servers import server_on

STEPS = 10
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def requests(databases: Sequence[str]) -> list[Figures]:
    """Requests of a step by their method and path."""
    with new_home() as home, server_on(databases[0], home) as variables:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.overhead.requests"],
            env=variables,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found = []
    for kind, counts in json.loads(done.stdout).items():
        listed = ", ".join(f"{name} × {count:g}" for name, count in sorted(counts.items()))
        text = f"{kind}: {sum(counts.values()):.1f} requests a step: {listed}"
        found.append(Figures(text, {"kind": kind, "requests": sum(counts.values()), **counts}))
    return found


def main() -> None:
    """Count twice, so that what a run sends once cancels out."""
    configure_process(Settings())
    from prefect.client.base import PrefectHttpxAsyncClient, PrefectHttpxSyncClient

    sent: Counter[str] = Counter()

    def counted(send: Callable[..., object]) -> Callable[..., object]:
        def count(client: object, request: object, *rest: object, **options: object) -> object:
            thread = threading.current_thread().name
            if not thread.startswith("page "):  # no step waits for it
                method, path = request.method, request.url.path  # type: ignore[attr-defined]
                sent[f"{method} {_ID.sub('{id}', path).removeprefix('/api')}"] += 1
            return send(client, request, *rest, **options)

        return count

    for client in (PrefectHttpxSyncClient, PrefectHttpxAsyncClient):
        setattr(client, "send", counted(client.send))  # noqa: B010 - checked types forbid the plain assignment

    def of(kind: Callable[[int], object]) -> dict[str, float]:
        counts = []
        for steps in (STEPS, 2 * STEPS):
            sent.clear()
            kind(steps)
            counts.append(Counter(sent))
        return {name: round(n / STEPS, 2) for name, n in (counts[1] - counts[0]).items()}

    print(json.dumps({"bare": of(bare), "writes": of(lambda steps: ours("Writes", steps))}))


if __name__ == "__main__":
    main()
