"""Agents that try to cheat, to spy and to destroy, by the ordinary actions any agent has.

They prove the environment: each must end with no better score than the unchanged starter, and leave
nothing behind. Their scripts refuse to run outside a sandbox.
"""
