"""All that takes a run long to load or to make, for the process that a local sweep forks its runs off.

Importing this module does it, since that is all that such a process can be asked for. All this is otherwise imported
only once it is used, so that commands which do not use it are quick.
"""

from __future__ import annotations

import gc
from functools import cache

from flows.sweep.loading import compile_rules, compile_templates, import_modules

# Nothing of this is ever let go of: looking for what could be takes a third of a second, and would do so in each run.
gc.disable()


def _make_mlflow_ready() -> None:
    """Have the classes of its tables told of each other, and the schema that it expects remembered.

    It would load all migrations to find that, each time that a database is opened.
    """
    from mlflow.store.db import utils
    from sqlalchemy.orm import configure_mappers

    configure_mappers()
    own, name = vars(utils), "_get_latest_schema_revision"
    own[name] = cache(own[name])
    own[name]()


def _look_for_plugins() -> None:
    from foundation.plugins import offered_in

    offered_in("mlab.agents")


for _make in (import_modules, compile_templates, compile_rules, _make_mlflow_ready, _look_for_plugins):
    _make()

gc.freeze()
gc.enable()
