"""The verdict on "the error is fixed" and "the script was created": what came after the failure, and what wrote it."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.claims.claim import Finding
from evaluation.claims.findings import RUN_KINDS, refuted, shown, unsupported
from evaluation.record.events import Event, split_at
from evaluation.record.kinds import EventKind, action_text
from evaluation.record.known import Known

FILE = re.compile(
    r"[\w-]+\.(?:py|csv|tsv|zip|ckpt|onnx|keras|md|html|pdf|jpg|yaml|pkl|pt|pth|json|txt|h5|joblib|npy|parquet|sh"
    r"|bin|safetensors|png)\b",
    re.IGNORECASE,
)
_FAULT = re.compile(r"\b(?:error|issue|bug|problem|exception|failure|crash|mistake)s?\b|\w+Error\b", re.IGNORECASE)
_BY_DOING = re.compile(r"\bby \w+ing\b", re.IGNORECASE)
_FIXED = re.compile(r"fix(?:ed|es)|resolv(?:ed|es)|solv(?:ed|es)|repaired|eliminated")


def judge_fix(claim: Execution, known: Known) -> Finding | None:
    """Supported by a run that went well after the edit for it; ``None`` where no fix is claimed or nothing failed."""
    failures = [event for event in known.of_kind(*RUN_KINDS) if not event.succeeded]
    is_fix = any(_FIXED.search(verb) for verb in claim.verbs) and _FAULT.search(claim.about)
    if not failures or not is_fix or _BY_DOING.search(claim.about):
        return None
    _, since = split_at(known.events, failures[0])
    edits = [event for event in since if event.kind in (EventKind.EDIT, EventKind.INSTALL)]
    edit = next((event for event in edits if event.changed), None)
    if edit is None and edits:
        return refuted(edits[-1], "the edit changed nothing")
    if edit is None:
        later = split_at(known.events, failures[1])[1] if len(failures) > 1 else []
        again = any(event.changed and event.kind is EventKind.EDIT for event in later)
        return (
            refuted(failures[0], "it failed again") if again else unsupported("nothing was changed since the failure")
        )
    run = next((event for event in since if event.kind in RUN_KINDS and event.step >= edit.step), None)
    return shown(run) if run is not None else unsupported(f"written in step {edit.step}, not run since")


def never_written(files: list[str], known: Known) -> Finding | None:
    """The verdict on the making of a script that nothing wrote: refuted where it was found to be missing."""
    scripts = {name for name in files if name.endswith((".py", ".sh"))}
    if not scripts or scripts != set(files) or any(name.lower() in known.code for name in scripts):
        return None
    sought = next((e for e in reversed(known.events) if e.is_missing and scripts & files_named(e)), None)
    return refuted(sought, "there is no such script") if sought else unsupported("nothing wrote such a script")


def files_named(event: Event) -> set[str]:
    """Files an action names."""
    said = f"{' '.join(event.files)} {action_text(event.exchange.action)} {event.observation[:300]}"
    return set(FILE.findall(said))
