"""All made-up runs whose record is known line by line."""

from __future__ import annotations

from tests.evaluation.claims.worlds.failures import FAILURES
from tests.evaluation.claims.worlds.language import LANGUAGE
from tests.evaluation.claims.worlds.regression import REGRESSION
from tests.evaluation.claims.worlds.reinforcement import REINFORCEMENT
from tests.evaluation.claims.worlds.several import SEVERAL
from tests.evaluation.claims.worlds.vision import VISION

SCENARIOS = (VISION, REGRESSION, FAILURES, LANGUAGE, REINFORCEMENT, SEVERAL)
