"""Reads claims by rules: what words say stands in ``vocabulary.toml``, what they mean is resolved to rows on record.

A text is read in this order (``reader``):

1. ``prose`` parts it into sentences and clauses, without code (``no_prose``); ``asserted`` drops plans, wishes, guesses
   and what holds anyway.
2. ``said`` is a clause with what it mentions (``mentions``): metrics, splits, and the results among its ``numbers``.
3. ``row_values`` and ``counted`` tell values that are another row's, and other numbers of trials, folds or parameters.
4. ``comparisons`` reads how a pair of results stands (``relations``, ``pairs``), and ``several`` what is the best or
   how a series goes.
5. Where nothing is compared, each number is one of the ``values`` of the rows that the words name.
6. Where there is no number, ``deeds`` reads what was done to ``objects``, ``traces`` finds the events that show it, and
   ``outcomes`` reads how it ended.

``rows`` and ``names`` say which rows a phrase means. What would accuse needs grounds (``claims/grounds.py``), for which
``meanings`` tries what else the words may mean.
"""
