"""How long something took, as programs print it: "0:01:22.30", "2 min 13 s", "1h 2m 3s", "1.5 hours"."""

from __future__ import annotations

import re

SPAN = (
    r"(?:\d+[ ]days?,[ ])?\d{1,3}:\d\d(?::\d\d)?(?:\.\d+)?(?![\d:])"
    r"|\d+(?:\.\d+)?[ ]?(?:d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?)(?![a-z])"
    r"(?:,?[ ]?(?:and[ ])?\d+(?:\.\d+)?[ ]?(?:h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])){1,3}"
    r"|\d+(?:\.\d+)?[ ]?(?:m(?:in(?:ute)?s?)?|hours?|hrs?|h)(?![a-z_])(?![ ]{0,2}[:=(]|[ ]{1,2}[-.\d])"
)
"""A clock, several units in a row, or one of minutes and more; for an expression without regard to case."""
_PART = re.compile(r"(\d+(?:\.\d+)?)\s?([dhms])", re.IGNORECASE)
_TIME = re.compile(r"\btime\W*$", re.IGNORECASE)
_OF_NO_HOUR = re.compile(r"0:\d\d:\d\d")
"""As Python prints a duration; a time of day has two digits for the hour."""
_SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_TAKEN = re.compile(
    r"run_?time|elapsed|duration|latency|took|(?:wall|train\w*|eval\w*|test\w*|infer\w*|fit\w*|total|run\w*|exec\w*|cpu"
    r"|epoch|step|search|process\w*|comput\w*|predict\w*)[ _-]?time|time[ _](?:taken|spent|used|elapsed)",
    re.IGNORECASE,
)


def names_span(text: str, span: str) -> bool:
    """Whether a name is that of a time taken, and not of a time of day: "Time: 0:02:13", but not "Time: 10:02:13"."""
    return _TAKEN.search(text) is not None or (_OF_NO_HOUR.match(span) is not None and _TIME.search(text) is not None)


def seconds_of(written: str) -> float:
    """The seconds of a text that ``SPAN`` matches."""
    if ":" in written:
        days, _, clock = written.rpartition(",")
        seconds = 0.0
        for piece in clock.split(":"):
            seconds = 60 * seconds + float(piece)
        return seconds + _SECONDS["d"] * int(days.split()[0] if days else 0)
    return sum(float(number) * _SECONDS[unit.lower()] for number, unit in _PART.findall(written))
