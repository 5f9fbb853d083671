"""What a model is sent: the briefing, the steps so far, the results on record, kept within its context."""
