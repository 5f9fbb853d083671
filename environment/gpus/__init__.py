"""NVIDIA cards: which there are, who holds which, what a script sees of them, and what it used."""
