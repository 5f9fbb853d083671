"""What a claim can assert: a closed union of small frozen types, one a module, each with the judge of it.

A type's fields are also what a language model is asked for, and its docstring is its line in the prompt and the docs.
A new type is a module here, named after it, and a line of ``evaluation.claims.registry``.
"""
