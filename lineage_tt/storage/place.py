"""Where a file of a store is: a path on a local disk, or an object with the same methods."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from lineage_tt.storage.objects import ObjectPath  # obstore is loaded when a bucket is opened

    Place: TypeAlias = Path | ObjectPath
else:
    Place = Any
