"""How a text that is told to an evaluator is worded; imports nothing, so that all may use it."""

import re

# A status with this word in it asks an evaluator to check the file that comes with it.
ASK = "validate"

_ASKING = re.compile(ASK, re.IGNORECASE)


def said(text: str) -> str:
    """Give a text that asks for nothing by accident.

    >>> said("Running validate_columns")
    'Running check_columns'
    """
    return _ASKING.sub("check", text)
