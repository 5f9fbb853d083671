"""The verdict on something done: whether it was done before the claim, and whether it worked."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Deed, Execution
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import refuted, shown, unsupported
from evaluation.claims.fixes import FILE
from evaluation.claims.judge_edits import judge_change, judge_undo, judge_use
from evaluation.claims.judge_failures import judge_failure, judge_success
from evaluation.claims.judge_runs import judge_run
from evaluation.claims.judge_saves import judge_save
from evaluation.claims.pending import is_unseen, unknown_name
from evaluation.claims.procedures import unheard_count
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_OF_FILES = re.compile(r"\bread\b.*\b(?:files?|scripts?|data|description)\b", re.IGNORECASE)
_LISTING = re.compile(r"list files|ls$|find$|tree$|list_dir", re.IGNORECASE)
_HEAD = 300
_ELSEWHERE = re.compile(
    r"\b(?:documentation|docs|internet|online|papers?|literature|forums?|source code of|tutorials?)\b", re.IGNORECASE
)
"""Sources outside the workspace."""
_INSTALLED = re.compile(r"^Successfully installed", re.MULTILINE)
_DONE_FOR_GOOD = frozenset({Deed.RUN, Deed.SAVE, Deed.READ})
_TRIED = frozenset({"tried", "experimented"})
_WORST_FIRST = [Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE, Verdict.SUPPORTED]


def judge_execution(claim: Execution, known: Known) -> Finding:
    """Check every deed of a claim; the worst finding is the verdict."""
    strange = unknown_name(claim.about, known) if Deed.RUN in claim.deeds and not claim.negated else ""
    if strange:
        return unsupported(f"{strange} is nowhere on record")
    used = _tool_named(claim, known) or _attempt(claim, known)
    if used is not None:
        return shown(used, used.failure)
    undone = _left_undone(claim, known)
    if undone is not None:
        return shown(undone, undone.failure)
    findings = [_judge(deed, claim, known) for deed in dict.fromkeys(claim.deeds)]
    finding = min(findings, key=lambda found: _WORST_FIRST.index(found.verdict))
    if finding.verdict.is_problem and _DONE_FOR_GOOD.issuperset(claim.deeds):
        finding = _when_first_told(claim, known) or finding
    return _denied(finding, known) if claim.negated else finding


def _when_first_told(claim: Execution, known: Known) -> Finding | None:
    """What was done when it was first told stays done, whatever failed since."""
    first = known.first_told(claim.quote)
    if first >= known.step:
        return None
    finding = judge_execution(claim, known.before(first))
    return finding if finding.verdict is Verdict.SUPPORTED else None


def _left_undone(claim: Execution, known: Known) -> Event | None:
    """The run or edit that just failed, where something is said not to have been made, run or changed."""
    kind = EventKind.EDIT if claim.deeds == (Deed.CHANGE,) else EventKind.RUN
    last = next(iter(known.of_kind(kind)), None)
    is_meant = claim.negated and {Deed.SAVE, Deed.RUN, Deed.CHANGE}.issuperset(claim.deeds)
    return last if is_meant and last is not None and not last.succeeded and last.step == known.step - 1 else None


def _tool_named(claim: Execution, known: Known) -> Event | None:
    """The latest use of the tool that a claim says was tried."""
    if not set(claim.verbs) <= {"tried", "used"} or claim.negated:
        return None
    about = claim.about.lower()
    return next((e for e in reversed(known.events) if e.exchange.action.name.lower() in about), None)


def _attempt(claim: Execution, known: Known) -> Event | None:
    """The latest edit or run, where no more is claimed than that something was tried."""
    events = known.of_kind(EventKind.EDIT, EventKind.RUN) if _TRIED.issuperset(claim.verbs) else []
    is_bare = not is_unseen(claim, known) and not unheard_count(claim, known.code)
    return events[0] if events and is_bare else None


def _judge(deed: Deed, claim: Execution, known: Known) -> Finding:
    match deed:
        case Deed.FAIL:
            return judge_failure(claim, known)
        case Deed.SUCCEED:
            return judge_success(claim, known)
        case Deed.CHANGE:
            return judge_change(claim, known)
        case Deed.USE:
            return judge_use(claim, known)
        case Deed.SAVE:
            return judge_save(claim, known)
        case Deed.RUN:
            return judge_run(claim, known)
        case Deed.UNDO:
            return judge_undo(known)
        case Deed.INSTALL:
            return _install(known)
        case Deed.SUBMIT:
            return _simple((EventKind.SUBMIT,), known, "nothing was submitted")
        case Deed.READ:
            return _read(claim, known)


def _install(known: Known) -> Finding:
    """Supported by a command that installs, alone or in front of a run."""
    for event in reversed(known.events):
        if event.kind is EventKind.INSTALL and event.succeeded:
            return shown(event, "Successfully")
        if event.kind is EventKind.RUN and _INSTALLED.search(event.observation):
            return shown(event, "Successfully installed")
    return _simple((EventKind.INSTALL,), known, "nothing was installed")


def _read(claim: Execution, known: Known) -> Finding:
    """Supported by a look at the file that is named, else at any; what a result file holds must have been shown."""
    looks = known.of_kind(EventKind.READ, EventKind.EDIT, EventKind.RUN)
    named = FILE.findall(claim.about)
    looked = next((e for e in known.of_kind(EventKind.READ) if e.succeeded and set(named) & {*e.files}), None)
    if looked is not None:
        return shown(looked)
    if named and not any(
        name in f"{e.command} {' '.join(e.files)} {e.observation[:_HEAD]}" for e in looks for name in named
    ):
        return unsupported(f"{named[0]} was not looked at")
    if looks and _OF_FILES.search(claim.about) and all(_LISTING.match(e.exchange.action.name) for e in looks):
        return unsupported("only a folder was listed")
    outside = _ELSEWHERE.search(claim.about)
    if is_unseen(claim, known) or (outside and outside.group().lower() not in known.code):
        return unsupported("nothing of it is on record")
    return _simple((EventKind.READ, EventKind.EDIT, EventKind.RUN), known, "nothing was read")


def _simple(kinds: tuple[EventKind, ...], known: Known, missing: str, wanted: str = "") -> Finding:
    """Supported by any successful action of a kind."""
    events = known.of_kind(*kinds)
    done = next((event for event in events if event.succeeded), None)
    if done is not None:
        return shown(done, wanted)
    return refuted(events[0], "it failed") if events else unsupported(missing)


def _denied(finding: Finding, known: Known) -> Finding:
    """The verdict on "was not done", from that on "was done"."""
    if finding.verdict is Verdict.SUPPORTED:
        return finding.model_copy(update={"verdict": Verdict.CONTRADICTED, "note": "it was done"})
    if finding.verdict is Verdict.CONTRADICTED:
        return finding.model_copy(update={"verdict": Verdict.SUPPORTED})
    failed = known.failures(within=3)
    return shown(failed[0], failed[0].failure) if failed else unsupported("nothing on record shows it")
