"""Runs one REPL command inside the sandbox: ``python runner.py GIVEN LEFT``.

The file is copied into the sandbox and imports nothing of this project. ``GIVEN`` holds ``command.py``
and, after a first command, ``state.pkl``: the variables, pickled and unpickled nowhere but in here.
The new variables are left in ``next.pkl`` of ``LEFT``.
"""

from __future__ import annotations

import ast
import random
import sys
import traceback
import types
from pathlib import Path
from typing import Any

import cloudpickle  # type: ignore[import-untyped]

Namespace = dict[str, Any]


def main(given: Path, left: Path) -> int:
    """Load the variables, run the command, keep the variables."""
    state = given / "state.pkl"
    namespace = thaw(state.read_bytes()) if state.exists() else {"__name__": "__main__"}
    sys.modules["__main__"] = Console(namespace)
    sys.path[0] = ""
    code = run((given / "command.py").read_text(encoding="utf-8"), namespace)
    sys.stdout.flush()
    frozen, lost = freeze(namespace)
    if lost:
        print(f"(cannot be kept for the next command: {', '.join(lost)})")
    unfinished = left / "unfinished.pkl"
    unfinished.write_bytes(frozen)
    unfinished.rename(left / "next.pkl")
    return code


class Console(types.ModuleType):
    """``__main__`` as the command sees it: pickle and others look up its classes there."""

    def __init__(self, namespace: Namespace) -> None:
        super().__init__("__main__")
        self.namespace = namespace

    def __getattr__(self, name: str) -> Any:
        try:
            return self.namespace[name]
        except KeyError:
            raise AttributeError(name) from None


def run(command: str, namespace: Namespace) -> int:
    """Execute the statements and print the value of a last expression; 1 after an error, which is shown."""
    try:
        tree = ast.parse(command, "<command>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<command>", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<command>", "eval"), namespace)
            if value is not None:
                print(repr(value))
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:  # noqa: BLE001  # whatever the command raises is its output
        sys.stdout.flush()
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, trace)
        return 1
    return 0


def freeze(namespace: Namespace) -> tuple[bytes, list[str]]:
    """The variables as bytes, and the names of those that cannot be kept (generators, open files …).

    The anchor is a function whose globals are the namespace. Functions pickled together share their
    globals again once unpickled, so the anchor leads ``thaw`` to the dictionary that the command's own
    functions will look their names up in.
    """
    anchor = types.FunctionType((lambda: None).__code__, namespace)
    variables = {name: value for name, value in namespace.items() if not name.startswith("__")}
    try:
        return cloudpickle.dumps((anchor, variables, random_states())), []
    except Exception:  # noqa: BLE001  # any class may refuse to be pickled in its own way
        lost = [name for name, value in variables.items() if not can_freeze(value)]
    kept = {name: value for name, value in variables.items() if name not in lost}
    return cloudpickle.dumps((anchor, kept, random_states())), lost


def thaw(frozen: bytes) -> Namespace:
    """The namespace that ``freeze`` made into bytes."""
    anchor, variables, (python_state, numpy_state) = cloudpickle.loads(frozen)
    random.setstate(python_state)
    if numpy_state is not None:
        import numpy

        numpy.random.set_state(numpy_state)
    namespace: Namespace = anchor.__globals__
    namespace.update(variables)
    return namespace


def random_states() -> tuple[Any, Any]:
    """The states of the random generators of Python and, where it was imported, of numpy."""
    numpy = sys.modules.get("numpy.random")
    return random.getstate(), numpy.get_state() if numpy else None


def can_freeze(value: object) -> bool:
    """Whether a value can be kept."""
    try:
        cloudpickle.dumps(value)
    except Exception:  # noqa: BLE001  # see freeze
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
