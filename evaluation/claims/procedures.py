"""Named procedures ("grid search", "early stopping"): a claim of one that no code mentions cannot be shown."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution

_PROCEDURE = re.compile(
    r"\b(?:grid|random|bayesian|hyper-?parameter) search\b|\b(?:ablation|bootstrap\w*|sensitivity|significance"
    r"|cross[- ]?validat\w+|(?:k|\d+)-fold|seeds|ensembl\w+|blend\w*|stacking|t-test|augmentation|calibrat\w+|threshold"
    r"|averaged|pseudo|distill\w+|prun\w+|quantiz\w+|external|scheduler|early stopping|dropout|warm-?up)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{4,}")
_STEM = 5
"""Letters by which a procedure is recognised in code ("ensem", "cross")."""


def is_unheard_of(claim: Execution, code: str) -> bool:
    """Whether a claim names a procedure of which the code, commands and outputs known hold no word."""
    procedure = _PROCEDURE.search(claim.about)
    words = _WORD.findall(procedure.group().lower()) if procedure else []
    seen = code.lower()
    return bool(words) and not any(word[:_STEM] in seen for word in words)
