"""Verbs of doing in the forms that say it happened, and what kind of doing each names."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Deed

_PARTICIPLES: tuple[tuple[Deed, str], ...] = (
    (
        Deed.FAIL,
        r"failed|timed out|crashed|terminated|errored|ran out of (?:memory|time)|killed|interrupted|aborted"
        r"|rejected|refused|cut off|stopped(?= (?:early )?(?:by|at|after|during|in|because|before))"
        r"|encountered (?:an?|some|the)(?: \w+)* (?:error|issue|problem)s?|not successful|unsuccessful",
    ),
    (Deed.UNDO, r"undid|undone|reverted|rolled back|restored"),
    (Deed.INSTALL, r"installed"),
    (Deed.SUBMIT, r"submitted"),
    (Deed.USE, r"used(?! to\b)|employed|utili[sz]ed|leveraged"),
    (Deed.SAVE, r"saved|overwritten|overwrote|stored|exported|written|wrote|dumped|created|generated|produced|copied"),
    (
        Deed.RUN,
        r"ran|executed|fitted|trained|re-?trained|fine-?tuned|evaluated|tested|validated|calculated|computed|printed"
        r"|plotted|loaded"
        r"|conducted|repeated|averaged|blended|stacked|performed|measured|predicted|cross-validated"
        r"|pre-?processed|experimented|carried out"
        r"|finished|completed|(?:stopped|ended|halted)(?= (?:the )?training)|tried(?! to)|profiled"
        r"|compared|collected|recorded|solved|passed|selected|chosen"
        r"|ensembled|tuned|benchmarked|visuali[sz]ed|decoded|downsampled|upsampled|resampled|sampled|tokeni[sz]ed"
        r"|timed(?! out)|simulated|played|compiled|swept|scored(?! \d)|used to (?:train|make|generate|predict"
        r"|create|write|produce|evaluate)",
    ),
    (
        Deed.CHANGE,
        r"changed|built|constructed|developed|prepared|set up|configured|customi[sz]ed|cleaned|imputed|binned"
        r"|mapped|transformed|extracted|augmented|filtered|merged|clipped|capped|unfrozen|unfroze|widened|deepened|shortened|expanded|engineered|split|encoded|scaled|normali[sz]ed|standardi[sz]ed"
        r"|concatenated|resized|shuffled|padded"
        r"|wrapped"
        r"|swapped|substituted|restricted|limited|modified|updated|edited|added|removed|deleted|replaced|increased"
        r"|decreased|reduced|raised"
        r"|lowered|set|switched"
        r"|implemented|vectori[sz]ed|paralleli[sz]ed|fixed|introduced|inserted|defined|adjusted|enhanced"
        r"|optimi[sz]ed|filled(?: in)?"
        r"|included|moved|renamed"
        r"|converted|imported|refactored|applied|incorporated|corrected|commented|redefined|rewrote|rewritten|extended"
        r"|simplified|made|improved|initiali[sz]ed|combined|disabled|enabled|doubled|halved|dropped|frozen"
        r"|froze|resolved|rounded|enlarged|shrunk|scheduled|annealed|masked|flattened|reshaped|transposed|sorted|weighted"
        r"|tied|untied|injected|patched|hard-?coded|parametri[sz]ed|registered|cached|ported|duplicated",
    ),
    (
        Deed.READ,
        r"read|checked|analy[sz]ed|listed|verified|double-checked|inspected|examined|reviewed|opened|looked (?:at"
        r"|into|through)|explored",
    ),
)
_VERB = "|".join(f"(?P<{deed.name}>{pattern})" for deed, pattern in _PARTICIPLES)
_PERFECT_VERB = _VERB.replace("ran|executed", "run|ran|executed")
_ADVERB = (
    r"(?:(?:now|also|just|already|successfully|then|previously|recently|further|not|n't|only|accidentally"
    r"|slightly|significantly"
    r"|correctly|\w+ed and|all|both|even|first|subsequently|finally|properly|indeed|manually|effectively)\s+)*"
)
ACTIVE = re.compile(
    rf"\b(?:(?:I|we|it|assistant|`?[\w-]+\.py`?"
    rf"|(?:the|this) (?:script|program|code|command))(?:\s+(?:have|has|had)|'ve|'d)?"
    rf"|(?:actions?|edit"
    rf"|scripts?|command|changes?"
    rf"|diff)\s+successfully)"
    rf"\s+{_ADVERB}(?:{_VERB})\b",
    re.IGNORECASE,
)
PASSIVE = re.compile(
    rf"\b(?:(?:has|have|had|wasn't|weren't|was|were|hasn't|haven't)\s+{_ADVERB}(?:been\s+)?{_ADVERB}"
    rf"|'s\s+been\s+{_ADVERB}"
    rf"|'ve\s+{_ADVERB}|(?:is|are)\s+{_ADVERB}now\s+{_ADVERB}|now\s+that\s+[\w` .'-]{{0,40}}?(?:is|are)\s+{_ADVERB})"
    rf"(?:\w+-)?(?:{_PERFECT_VERB})\b",
    re.IGNORECASE,
)
INITIAL = re.compile(
    r"^[\W_]*(?:step \d+\W+)?(?:(?:in|on|at|for|from) [^,.]{2,60},\s+)?"
    rf"(?:(?:directly\s+)?confirmed:\s*)?(?:successfully\s+|also\s+|then\s+|now\s+"
    rf"|that\s+)?(?:{_VERB})\b(?!\s*[:=,]|\s+(?:is|are)\b)",
    re.IGNORECASE,
)
_FAILING = (
    r"(?:training|script|run|process|job|command) (?:has |have |was )?(?:aborted|halted|died|broke (?:off|down)"
    r"|stopped(?= (?:immediately|because|due|with an)|\W*$))",
    r"(?:did|does|could)(?: not|n't) (?:finish|complete)",
    r"never (?:got|came) to",
    r"caus\w+ (?:\w+ )?to (?:fail|crash)",
    r"(?:got|gets|received|returned|returns|gave|gives|produced|raised|resulted in|led to"
    r"|(?:responded|failed|ended|stopped|met) with) (?:an?|the|another|the same) (?:\w+ ){0,2}"
    r"(?:error|exception|timeout|failure)s?",
    r"(?:ran|run|runs) into (?:the|an?|some) (?:\w+ )?(?:time ?limit|timeout|errors?|problems?)",
    r"(?:the|this) (?:\w+ )?error (?:is|was|occurs|arises)(?! (?:\w+ly |due|because|caused|that|in|with|from)\b)",
    r"(?:getting|got|observed|saw|seeing|encountering|receiving|produces?|produced|causing|caused|throws?|raises?)"
    r" (?:an?|the|another|the same) (?:\w+ ){0,3}(?:error|exception)(?: message)?",
    r"(?:resulted|results|ended) in an? \w*Error",
    r"(?:encountering|getting|seeing) an? [\"'`][^\"'`]{3,60}[\"'`] error",
    r"took too long|hit the (?:[\w-]+ ){0,3}limit",
    r"(?:did|does)(?: not|n't) work(?!ed| out| well| better| as)",
    r"failed|fails with|(?<=script )(?:fails|crashes)|(?<=run )(?:fails|crashes)|timed out|crashed|errored",
    r"(?:ran|run) out of (?:\w+ )?(?:memory|time)",
    r"(?:could|can)(?:not|n't| not) be (?:run|executed|trained|loaded|found|done|completed|evaluated|validated|opened"
    r"|read|parsed)",
    r"threw an? \w+|raised an? \w+",
    r"(?:is|are|was|were|got|been) (?:terminated|killed)",
    r"(?:an? |the )?error (?:occurred|was raised)",
    r"there (?:was|were) (?:an? |some )?(?:\w+ )?(?:error|exception)s?",
    r"exceeded the time",
    r"(?:was|were)(?: not|n't) successful|unsuccessful",
    r"encountered (?:an?|some|the)(?: \w+)* (?:error|issue|problem)s?",
)
_WORKING = (
    r"(?:stopped|ended|halted) (?:the )?training",
    r"no (?:\w+ )?errors?(?: (?:occurred|were \w+))?",
    r"(?:ran|run|finished|completed|executed|worked|trained)(?:\s+\w+)? (?:through|successfully"
    r"|without (?:any |running )?(?:errors?|problems?|issues?|out of memory))",
    r"(?:was|were|is) successful(?:ly)?|succeeded",
    r"(?:runs|executes|works) (?:successfully|without (?:any )?(?:errors?|problems?|issues?))",
    r"(?:training|script|run|execution|process) (?:runs|works)(?= now| fine| again| through|\W*$)",
    r"(?:training|script) (?:went through|completed) all",
    r"(?:training|script|run|execution|process) (?:has |is )?(?:now )?(?:finished|completed?|done)",
    r"(?:seeds|runs|jobs|epochs|folds|trials|experiments|models|evaluation|validation|search|sweep)"
    r" (?:(?:has|have) )?(?:all )?(?:finished|completed)",
)
INTRANSITIVE = re.compile(rf"\b(?P<FAIL>{'|'.join(_FAILING)})\b|\b(?P<SUCCEED>{'|'.join(_WORKING)})\b", re.IGNORECASE)
SHOWN = re.compile(
    rf"\b(?:diff|edit|change|update)s? shows? (?:that )?.{{0,160}}?\b(?:is|are|was|were)\s+{_ADVERB}"
    r"(?P<CHANGE>replaced|changed|set|added|removed|increased|decreased|reduced|updated|modified|inserted)\b"
    rf"|\boutput shows? (?:that )?.{{0,160}}?\b(?:is|are|was|were)\s+{_ADVERB}"
    r"(?P<RUN>calculated|computed|printed|trained|evaluated|loaded|saved)\b",
    re.IGNORECASE,
)
EDIT_DOES = re.compile(
    r"\b(?:it|edit|diff|change|patch|modification|commit|action)s?(?: (?:to|of|in) [\w. `]{1,40}?)?"
    r" (?:also |now |correctly |successfully )?"
    r"(?P<CHANGE>changed(?= nothing)|sets?|chang(?:es|ed)|modif(?:y|ies|ied)"
    r"|(?:add|remov|replac|increas|decreas|reduc|restrict|introduc|insert|updat|limit)(?:e?s|ed)?)\b",
    re.IGNORECASE,
)
"""What an edit is said to do."""
IS_SAVED = re.compile(
    r"\b(?:(?:is|are) (?:now )?|(?:submission|predictions?|file) now (?=contain|hold))"
    r"(?P<SAVE>(?:saved|stored) (?:to|in|under|as|at)\b|in(?= `?[\w-]+\.(?:csv|tsv|json)\b)|contains?\b|holds?\b)",
    re.IGNORECASE,
)
"""Tells what a script does until one has run, and what was done after it."""
CONFIRMED_DOING = re.compile(
    r"^\W*(?:(?P<RUN>training|fine-?tuning|running|evaluating|testing)|(?P<CHANGE>adding|using|increasing|reducing"
    r"|replacing"
    r"|removing|changing))\b(?!-)(?=[^:]{3,80}:\s*\W*(?:directly )?confirmed)",
    re.IGNORECASE,
)
"""An item of a fact check: "Training for 3 epochs: confirmed"."""
NOW_SO = re.compile(
    r"\b(?P<CHANGE>(?:is|are) now (?:in place|part of|added|fixed|defined)"
    r"|(?<=it )(?:fixes|resolves|solves)(?= the)"
    r"|(?:edit|change|this|which) (?:fix|resolv|solv)(?:ed|es)(?= the)"
    r"|(?<!we )(?<!i )(?<!you )(?<!submission file )(?<!predictions )now (?:also )?"
    r"(?:uses?|includes?|contains?|combines?|supports?)"
    r"|(?:script|code|strategy|config\w*|file|function|model|network|agent|policy|pipeline|loop|class"
    r"|\w+_\w+`?|\w+\(\)`?) now"
    r" (?!needs|seems|looks|appears|performs|shows|gives|runs|works|fails|achieves|reaches|gets|takes|scores)\w+s)\b",
    re.IGNORECASE,
)
"""What code is like after a change."""
BY_DOING = re.compile(
    r"\b(?:done|achieved|accomplished|implemented|fixed|addressed|handled|resolved) by (?:\w+ly )?"
    r"(?:(?P<CHANGE>adding|removing|changing|replacing|increasing|reducing|decreasing|setting|using|modifying|editing"
    r"|adjusting|introducing|inserting)|(?P<RUN>running|training|executing|evaluating|fitting))\b",
    re.IGNORECASE,
)
"""How something was done."""
AND_ALSO = re.compile(rf"(?:,|\band)\s+{_ADVERB}(?:{_VERB})\b", re.IGNORECASE)
AFTER_EDIT = re.compile(
    rf"\b(?:is|are)\s+{_ADVERB}(?P<CHANGE>(?!based|need|requir|expect|suppos|call|nam|relat|locat|provid|list|"
    rf"interest|confus|tir|satisf|confirm|guess|complet|finish|fail|sav|stor|allow|limited|print|load|train|evaluat"
    rf"|comput|calculat|execut|test|plott|predict|generat|creat|us|measur|shown)\w*ed|split|cut)\b",
    re.IGNORECASE,
)
"""What was changed, told in the present right after an edit."""
CODE_DOES = re.compile(
    r"(?:\b[\w/]+\.py`?|\b(?:script|code|edit|function)) (?:also |now )?"
    r"(?P<USE>(?!needs|seems|looks|appears|has|was|is|does)[a-z]+s)\b",
    re.IGNORECASE,
)
"""What code does, told in the present, as a fact that is confirmed."""
SOME_DATA = re.compile(
    r"\b(?:data ?set|task|problem|goal|metric|competition|corpus|submission should)\b", re.IGNORECASE
)
"""Of these a present tense tells facts."""
PRODUCT = re.compile(
    r"\b(?:submission|predictions?|csv|checkpoint|models?|probabilit\w+|files?|artefacts?|artifacts?|weights"
    r"|results?)\b|\.(?!py\b)\w{2,4}\b",
    re.IGNORECASE,
)
SETTINGS = re.compile(
    r"\b(?:hyper-?)?param\w*|\b(?:hidden|depth|number of)\b|\bsettings?\b|\blearning rate\b", re.IGNORECASE
)
_STATUS = r"(?:done|completed?|finished)\b[.)\]*_!]*"
DONE_ITEM = re.compile(
    rf"^(?P<task>.{{4,160}}?)\s*(?:[.:;,(\[*–—-]+\s*)+{_STATUS}$|^\[x\]\s*(?P<boxed>.+)$|^[✓✅✔]\s*(?P<ticked>.+)$",
    re.IGNORECASE,
)
_TASKS: tuple[tuple[Deed, str], ...] = (
    (
        Deed.RUN,
        r"execute|run|re-?run|train|fine-?tune|evaluate|test|experiment|load|conduct|compute|calculate|print"
        r"|plot|tune|compare"
        r"|validate|measure|predict|perform|pre-?process",
    ),
    (
        Deed.CHANGE,
        r"add|change|modify|edit|update|implement|increase|decrease|replace|remove|fill|write|define|fix|adjust"
        r"|insert|improve",
    ),
    (Deed.SAVE, r"save|generate|create|export|store"),
    (Deed.SUBMIT, r"submit"),
    (
        Deed.READ,
        r"get familiar|familiari[sz]e|study|look at|go through|understand|read|inspect|examine|review|explore|check",
    ),
)
TASK_VERB = re.compile(
    r"\W*(?:" + "|".join(f"(?P<{deed.name}>(?:{pattern}))" for deed, pattern in _TASKS) + r")(?![.\w])", re.IGNORECASE
)
ALL_DONE = re.compile(
    r"\b(?:I|we)(?: have|'ve)? (?:completed|finished|done|carried out) (?:all|every)\b", re.IGNORECASE
)
