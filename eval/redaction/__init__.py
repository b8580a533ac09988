"""What is nobody's business, out of a text before it is written: e-mail, phone, cards, keys, passwords and the like."""

from eval.redaction.placeholders import kind_of, kinds_only
from eval.redaction.redactor import Redactor

__all__ = ["Redactor", "kind_of", "kinds_only"]
