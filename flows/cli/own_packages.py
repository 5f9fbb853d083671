"""Whether this program's packages are its own: some have names that a folder of the user's may have as well."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

OURS = ("agent", "environment", "evaluation", "tasks_catalog")
_HOME = Path(__file__).parents[2]


def package_in_our_place() -> str | None:
    """What to tell of the first package that Python would take from elsewhere; nothing of it is imported."""
    for name in OURS:
        spec = find_spec(name)
        origin = Path(spec.origin) if spec and spec.origin else None
        if origin != _HOME / name / "__init__.py":
            found = origin or (", ".join(spec.submodule_search_locations or ()) if spec else "nothing")
            return (
                f"mlab has a package called {name}, and Python finds another in its place: {found}\n"
                "Rename it, or take its folder off PYTHONPATH; the command mlab can be started from any folder."
            )
    return None
