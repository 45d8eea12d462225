"""What sqlglot raises on some damaged texts and trees, besides the errors that it has for them."""

from __future__ import annotations

from typing import Final

SQLGLOT_ERRORS: Final = (ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError, AssertionError)
