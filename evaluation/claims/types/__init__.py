"""What a claim can assert: a closed union of small frozen types, one a module.

A type's fields are also what a language model is asked for, and its docstring is its line in the prompt and the docs.
``evaluation.claims.registry`` joins each type to its judge and its rules.
"""
