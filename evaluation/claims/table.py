"""The claims that are kept with a run."""

from __future__ import annotations

from pydantic import ValidationError

from environment.errors import CorruptObjectError
from environment.journal.tables import read_table
from environment.store import RunKeys, Store
from evaluation.claims.claim import Claim
from foundation.validation import faults


def read_claims(store: Store, run_id: str) -> list[Claim]:
    """The claims of a run as they were last audited; columns that an earlier version had are left out.

    Raises:
        NotInStoreError: It was not audited yet.
        CorruptObjectError: The table is torn, or was changed: a row is no claim.
    """
    fields = Claim.model_fields
    try:
        return [
            Claim.model_validate({name: value for name, value in row.items() if name in fields})
            for row in read_table(store, run_id, "claims")
        ]
    except ValidationError as error:
        key = RunKeys(run_id=run_id).table("claims")
        raise CorruptObjectError(f"{key} holds what is no claim: {faults(error)[0]}") from error
