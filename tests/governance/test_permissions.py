"""Grants over a store: as of any two times, and along lineage."""

from __future__ import annotations

from pathlib import Path

from labelstories import ANA, BOARD, DAYS, PEOPLE, USERS, chain, governed

from lineage_tt.curation.statements import annotate
from lineage_tt.governance.permissions.grants import grant_key


def test_grants_hold_in_both_times(tmp_path: Path) -> None:
    """Granted in March until May, revoked knowingly later; the source that is denied names its owner."""
    store = chain(tmp_path)
    annotate(store, "db:users", grant_key("eve"), ["read"], by=ANA, at=DAYS[2], expires=DAYS[4])
    annotate(store, "db:clients", grant_key("eve"), ["read"], by=ANA, at=DAYS[0])
    annotate(store, PEOPLE, grant_key("eve"), ["read"], by=ANA, at=DAYS[0])
    before = store.version
    annotate(store, "db:users", grant_key("zoe"), ["own"], by=ANA, at=DAYS[0])
    governance = governed(store)

    assert [governance.may_read("eve", USERS, governance.basis(day)) for day in DAYS[1:5]] == [False, True, True, False]
    (denied,) = governance.sources_denied("eve", BOARD, governance.basis(DAYS[5]))
    assert (denied.node, denied.owners) == (USERS, ("zoe",))
    assert governance.sources_denied("eve", BOARD, governance.basis(DAYS[3])) == []
    assert governance.grants(governance.basis(DAYS[3], version=before)).owners(USERS) == ()
