"""Words of order and change, and what they are held against."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Reference, Relation

SUPERLATIVES = ("BEST", "WORST", "HIGHEST", "LOWEST")
_GOING_ON = (
    r"(?:(?:kept|keeps|was still|were still|is still|are still|still|continue[sd]? to|start(?:s|ed)(?: to)?"
    r"|began(?: to)?)"
    r"(?: on)?(?: (?:slowly|slightly|steadily))?)"
)
"""Before a verb of change: how a value went in the course of one run."""
_RELATIONS: tuple[tuple[Relation, str], ...] = (
    (
        Relation.NOT_BETTER,
        r"(?:did|does|do|has|have)(?: not|n't) (?:\w+ ){0,2}(?:improved?|help(?:ed)?|outperform(?:ed)?|beat(?:en)?"
        r"|work(?:ed)? (?:well|better)|(?:bring|give|yield|provide|show)n? (?:us )?(?:any |a |an )?(?:further "
        r"|more )?(?:gain|benefit|improvement)s?)|fail(?:ed|s) to (?:\w+ )?(?:improve|outperform|beat)"
        r"|no (?:\w+ )?improvements?",
    ),
    (
        Relation.HIGHEST,
        r"(?<=has the )higher|(?<=have the )higher|highest|greatest|largest"
        r"|(?<!'s )maximum(?! (?:possible|length|number|depth))|peak(?:s|ed)",
    ),
    (Relation.LOWEST, r"(?<=has the )lower|(?<=have the )lower|lowest|smallest|minimum|bottom(?:s|ed) out"),
    (
        Relation.BEST,
        r"best(?:[- ]performing)?|(?<=remains )the better|(?<=is )the better|(?<=was )the better|easiest|strongest"
        r"|fastest|most accurate",
    ),
    (Relation.WORST, r"worst(?:[- ]performing)?|most (?:difficult|challenging)|hardest|weakest|slowest|least accurate"),
    (
        Relation.BETTER,
        rf"{_GOING_ON} improv(?:e|ing)|stronger|improv(?:ed|es|ements?)|did (?:\w+ )?improve"
        rf"|improving(?= [^.]*\b(?:achieved|reached|met)\b)|improving(?= (?:\w+ )?(?:on|upon|over)\b)"
        r"|better|faster|ahead|speed-?up|outperform(?:s|ed|ing)?"
        r"|beat(?:s|en|ing(?= (?:the|our|its|both|all)))?|surpassing|wins?|won(?!')|times as fast|more accurate"
        r"|(?:gives|gave|brings|adds"
        r"|yields) (?:us )?(?:another|an extra"
        r"|an additional)|surpass(?:es|ed)?|superior|positive (?:effect|impact)"
        r"|positively (?:affected|impacted)|helped|gains?|gained|paid off"
        r"|enhanced (?:the )?(?:model's )?(?:performance|accuracy|results?)|enhancement (?:in|over)",
    ),
    (
        Relation.WORSE,
        rf"{_GOING_ON} (?:worsen(?:ing)?|degrad(?:e|ing))|more slowly|weaker|less accurate|fall(?:s"
        rf"|en)? (?:\w+ )?short of"
        rf"|worse(?:ned|ns)?|slower"
        rf"|not as (?:good|high|well|accurate|strong) as|degrad(?:ed|es|ation)|regression(?= (?:of|from|compared|in))"
        rf"|inferior"
        r"|deteriorat(?:ed|ion)|negative (?:effect|impact)|hurts?|behind"
        r"|harmed|underperform(?:s|ed)?",
    ),
    (
        Relation.HIGHER,
        rf"{_GOING_ON} (?:ris(?:e|ing)|increas(?:e|ing)|grow(?:ing)?|climb(?:ing)?|go(?:ing)? up)|as long"
        rf"|(?<=earns )more(?= than)|(?<=scores )more(?= than)|(?<=took )longer"
        r"|(?<=takes )longer|(?<!no )(?<!any )longer(?= than|[.,;)]|$)|(?<=% )longer|(?<=times )longer"
        rf"|more(?= than (?:the |our )?(?:baseline|starter|original|previous|before))"
        rf"|(?<=points )more|(?<=% )more|times (?:as )?(?:large|high|big|great|much)|adds(?= \d)|higher|increas(?:ed"
        rf"|es|e)|rose|rises?|risen|rais(?:ed|es)|times that of|(?<=point )boost|(?<=points )boost|(?<=% )boost"
        rf"|boost(?:ed|s)(?! (?:models?|trees"
        r"|ensembles?))|lift(?:ed|s)|greater"
        r"|(?:went|gone|going|goes|is|are|was|were) (?:also |even )?up"
        r"|(?<!makes )(?<!made )(?<!takes )up(?:,? (?:from|by)|(?= [+\d.]))|jump(?:ed"
        r"|s)?|climb(?:ed|s)?|soar(?:ed|s)"
        r"|exceed(?:s|ed)?|above|doubl(?:ed|es)|tripl(?:ed|es)|quadrupled|grew|grown|twice|thrice",
    ),
    (
        Relation.LOWER,
        rf"{_GOING_ON} (?:fall(?:ing)?|decreas(?:e|ing)|drop(?:ping)?|declin(?:e|ing)|shrink(?:ing)?"
        rf"|go(?:ing)? down)|shorter|quicker|loss(?= of [\d.]+ in\b)|shav(?:ed|es)(?= [\d.])"
        rf"|los(?:es|t)(?= (?:about |around |some |roughly )?[\d.]+)|trim(?:s|med)(?= [\d.])"
        rf"|lower(?:ed|s)?|decreas(?:ed|es|e)|dropp?(?:ed"
        rf"|s)?|fell|falls?|fallen"
        rf"|reduc(?:ed|es|tion)"
        r"|(?:went|gone|going|goes|is|are|was|were) down|(?:brought|brings|got) (?:[\w ]{1,40} )?down"
        r"|down(?:,? (?:from|by|to)|(?= \d))"
        r"|declin(?:ed|es|e)|shr[ai]nks?|shrunk|narrow(?:ed|s)|cut|cuts|slash(?:ed|es)|collaps(?:ed|es)|plung(?:ed|es)"
        r"|below|halv(?:ed|es)|in half|smaller|less|third of|half of|quarter of",
    ),
    (
        Relation.SIMILAR,
        r"close to (?:each other|one another)|(?:are|is) (?:very |quite |fairly )?close\b(?! to)|similar(?:ly)?"
        r"|(?<!not )(?<!n't )comparabl[ey]|consistent with|as good as"
        r"|(?:nearly|almost|roughly|about|approximately|virtually) (?:the )?(?:identical|equal|same|unchanged)",
    ),
    (
        Relation.SAME,
        r"(?:leaves?|left|keeps?|kept) [^.]{0,30}\bunchanged|same|equal|identical|(?:is|are|was|were|remain(?:s|ed)?"
        r"|stay(?:s"
        r"|ed)?) (?:\w+ )?unchanged|match(?:es|ed)|no (?:change|difference|effect)"
        r"|(?:did|has|have)(?: not|n't) (?:\w+ly |really |much )?(?:changed?|affect(?:ed)?|alter(?:ed)?)"
        r"|(?:makes?|made) (?:no|little|hardly any) difference|(?:barely|hardly) (?:moved?|changed?)",
    ),
)
RELATION = re.compile("|".join(f"(?P<{r.name}>\\b(?:{pattern})\\b)" for r, pattern in _RELATIONS), re.IGNORECASE)
OUTCOME = re.compile(
    r"\b(?:performance|performs?|performed|performing|results?|scores?|baseline|previous best|so far|metrics?"
    r"|outperform\w*|generali[sz]es?|(?:more|less) accurate)\b",
    re.IGNORECASE,
)
OUTCOME_NOUN = re.compile(
    r"\b(?:models?|strateg(?:y|ies)|approach(?:es)?|version|attempts?|iteration|regressors?|classifiers?|solution"
    r"|training output|test set|validation set|this|it|them|we|our)\b",
    re.IGNORECASE,
)
SETTING_OBJECT = re.compile(
    r"^\s*(?:the |our |its |an? |more )?(?:number|size|dropout|learning|batch|epochs?|regulari\w+"
    r"|complexity|depth|capacity"
    r"|patience|weight|momentum|n_|max_|min_|hidden|training data|overfitting|memory|noise|width|layers?|features?)",
    re.IGNORECASE,
)
DEEDS_NOT_RESULTS = re.compile(
    r"\b(?:made|makes|implement\w*|add\w*|appl(?:y|ied)|introduc\w*|includ\w*|maintain\w*|with|main|major|key"
    r"|these|our|the"
    r"|potential|several|some|further|future|other|more|engineering|new|possible|suggested)"
    r"(?:,? (?:of|the|our|these|all|several|some|other|many|major|key|few|important|further|potential|new"
    r"|performance|significant|various"
    r"|additional|feature|engineering|architectur\w+|model)){0,4} improvements\b"
    r"|^\W*(?:\w+ )?improvements\b(?! (?:of|by|in|over) )|\bimprovements?\W*(?:that\b|which\b|include|are|is to|:\s*$"
    r"|we made|implemented)"
    r"|\b(?:implement|make|making|for|areas? (?:of|for)|room for) (?:\w+ ){0,2}improvements?\b"
    r"|(?<!remains )(?<!is )(?<!was )\b(?:the|our|an|this|my|its|new|these|with|an?) (?:improved|enhanced"
    r"|optimi[sz]ed|better)(?: \w+)?"
    r" (?:models?|scripts?|versions?|code|features?|solution|strategy|approach|architecture|implementation)\b"
    r"|\b(?:best|better) (?:practice|understand\w*|sense|idea|handle|capture|suited|way|approach would|option|choice"
    r"|regulari\w+|convergence|stability|feature|visuali\w+|estimator|params?|parameters|hyper\w+|guess|generali\w+"
    r"|architecture|preprocessing|features?|use|control|data|optimi\w+|gradient|initiali\w+|to|state)\b"
    r"|\bat least\b|\bat best\b|\bmore or less\b|\bbest[ _]model(?:\.\w+|_| (?:state|checkpoint|weights|sav\w+))"
    r"|\bimproved_\w+|\bbest_\w+|\bmodel (?:saving|checkpoint\w*) [^.]* best\b|\bbest of (?:luck|both)\b"
    r"|\b(?:improvements|changes|modifications|factors|things|steps) (?:that|which) (?:have |really |most )*"
    r"(?:helped|improved)\b"
    r"|^\W*similar to (?:the |our )?[\w ]{1,40}\b(?:plots?|figures?|graphs?)\b"
    r"|\bthe same (?:time|way|script|file|step|error|issue|approach)\b",
    re.IGNORECASE,
)
REFERENCES: tuple[tuple[Reference, re.Pattern[str]], ...] = (
    (
        Reference.BEST,
        re.compile(
            r"\b(?:previous(?:ly)?|prior|earlier|current|our|the)\s+best\b|\bso far\b|\bbest[- ]performing\b", re.I
        ),
    ),
    (
        Reference.BASELINE,
        re.compile(
            r"\bbaseline\b|\boriginal\b|\bstarter\b|\bunmodified\b|\b(?:initial|provided) (?:model|score|accuracy"
            r"|performance"
            r"|result|script)",
            re.IGNORECASE,
        ),
    ),
    (
        Reference.ALL,
        re.compile(
            r"\b(?:previous|earlier|prior|other|all|both|individual)(?: \w+)? (?:models|attempts|versions"
            r"|approaches|runs"
            r"|experiments|strategies|results|iterations|configurations|ones|regressors|classifiers|methods"
            r"|architectures)\b|\b(?:any|every|each) (?:single|individual|other|of the (?:other|single"
            r"|individual)) \w+",
            re.IGNORECASE,
        ),
    ),
    (
        Reference.PREVIOUS,
        re.compile(
            r"\b(?:previous(?:ly)?|prior|(?<=than )before|before(?! (?:any|its|decay|training"
            r"|convergence|early|\w+ing)\b)|last|earlier|preceding|former)\b",
            re.IGNORECASE,
        ),
    ),
)
WITHIN_RUN = re.compile(
    r"\b(?:throughout|over (?:the |all )?(?:\w+ ){0,2}(?:course|time|epochs)|steadily|monotonically|during training"
    r"|(?:each|every|per|first|second|third|last|final) (?:\w+ )?epoch|(?:first|last)\W+(?:and|to"
    r"|two)\b[^.]*\bepochs?|steps? [\d,]+ (?:to|and)"
    r"|across epochs|with each epoch|in the middle of training|in the (?:last|final|latest) evaluation|of (?:this"
    r"|the) run|every (?:evaluation|step)"
    r"|each of the (?:\w+ )?epochs)\b|\bepoch \d"
    rf"|\b{_GOING_ON} (?:ris|increas|grow|climb|go|fall|decreas|dropp?|declin|shrink|improv|worsen|degrad)(?:e"
    rf"|ing)?\b|\b(?:peak(?:s|ed)|bottom(?:s|ed) out)\b",
    re.IGNORECASE,
)
_COUNT_WORD = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|most)"
EVERY = re.compile(
    r"\b(?:none of|neither|each|every|all of|any of"
    rf"|all (?:the |its |our )?(?:{_COUNT_WORD} )?(?:folds|targets|metrics|measures|tasks|datasets|columns|scores"
    rf"|classes|models|settings|variants"
    rf"|seeds|runs)"
    r"|both (?:\w+ )?(?:models|settings|variants|versions|seeds|runs)"
    rf"|(?P<some>{_COUNT_WORD}) (?:out )?of (?:the |its |our )?(?P<total>{_COUNT_WORD}))\b",
    re.IGNORECASE,
)
TRANSITIVE = re.compile(r"outperform|beat|surpass|exceed|match", re.IGNORECASE)
GAP = re.compile(r"\b(?:gap|overfit\w*|discrepancy|variance|difference between)\b", re.IGNORECASE)
DEGREE = re.compile(
    r"\b(?:significant(?:ly)?|substantial(?:ly)?|much|meaningful(?:ly)?|considerabl[ey]|dramatic(?:ally)?|notabl[ey]"
    r"|noticeabl[ey])\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|failed to|fails to|little|any of|isn't|wasn't|didn't"
    r"|doesn't|hasn't|haven't"
    r"|aren't|weren't)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\bwithout\b(?= \w+\W+\w+)", re.IGNORECASE)
"""Names a variant ("without dropout the score fell"), and denies only what follows at once."""


def stated_absence(head: str, relation: str) -> bool:
    """Whether the words before a relation deny it."""
    if _WITHOUT.search(head) and not _NEGATION.search(_WITHOUT.sub("", head[-60:])):
        return False
    return bool(_NEGATION.search(head[-60:])) and not relation.lower().startswith(("no ", "fail", "did", "does", "ha"))
