"""Commands with many options take them as one object. Like ``flows.cli.tree``, this imports nothing heavy."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Options = TypeVar("Options")


def taking(options: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """A command with an option for each field of a dataclass, of which its function is given one."""

    def command_of(function: Callable[[Options], None]) -> Callable[..., None]:
        def command(**given: Any) -> None:
            function(options(**given))

        signature = inspect.signature(options)
        vars(command)["__signature__"] = signature.replace(return_annotation=None)
        command.__annotations__ = {name: field.annotation for name, field in signature.parameters.items()}
        command.__name__, command.__doc__ = function.__name__, function.__doc__
        return command

    return command_of
