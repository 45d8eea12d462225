"""kafka-python, loaded when it is first needed."""

from __future__ import annotations

import warnings
from types import ModuleType

from lineage_tt.model.errors import InvalidRequestError


def load() -> ModuleType:
    """Return the module ``kafka``; InvalidRequestError, which says what to install, where it is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # kafka-python 3.0.12 itself uses deprecated calls
            import kafka
            import kafka.admin
            import kafka.errors
    except ImportError as error:
        raise InvalidRequestError(
            f"Kafka needs a library that is not installed: {error.name}", hint="pip install 'lineage-tt[kafka]'"
        ) from None
    module: ModuleType = kafka
    return module
