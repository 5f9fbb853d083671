"""Reads claims by rules: what words say stands in ``vocabulary.toml``, what they mean is resolved to rows on record.

A text is read in this order (``reader``):

1. ``prose`` parts it into sentences and clauses, without code (``no_prose``); ``asserted`` drops plans, wishes, guesses
   and what holds anyway.
2. ``numbers`` finds the results of a clause with the metric and split that ``mentions`` finds; ``measured`` drops
   settings, counts and names.
3. ``whose_value`` and ``counted`` tell values that are another row's, and other numbers of trials, folds or parameters.
4. ``comparisons`` reads how two ``sides`` stand (``relations``), and ``several`` what is the best or how a series goes.
5. Where nothing is compared, each number is a value of the rows that ``places`` finds.
6. Where there is no number, ``done`` reads a deed to ``objects`` by the events that ``traces`` finds, and ``outcomes``
   how it ended.

``references``, ``naming`` and ``row_names`` say which rows a phrase means. What would accuse needs grounds
(``claims/grounds.py``), for which ``meanings`` tries what else the words may mean.
"""
