"""Patches as models write them: read, fitted to the text they change, and refused where they do not fit."""
