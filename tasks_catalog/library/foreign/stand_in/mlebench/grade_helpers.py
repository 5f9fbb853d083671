"""What a competition's grader raises."""


class InvalidSubmissionError(Exception):
    """The submission cannot be scored."""
