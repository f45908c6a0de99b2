"""What `match` returns."""

from dataclasses import dataclass
from typing import Any

from signatures.bundle import Bundle
from signatures.columns import Difference
from signatures.frozen import FrozenMap
from signatures.headers import Header
from signatures.members import Member
from signatures.signature import Signature


@dataclass(frozen=True)
class Match:
    """The task a dataset is, and how its training table differs from the signature, if it does.

    Attributes
    ----------
    signature : Signature
        The task.
    bundle : Bundle
        The files, by role.
    header : Header
        Of the training table.
    difference : Difference
        Between the signature's columns and the table's. The key columns are never part of it.
    """

    signature: Signature
    bundle: Bundle
    header: Header
    difference: Difference

    @property
    def slug(self) -> str:
        """The name of the task."""
        return self.signature.slug

    @property
    def missing(self) -> tuple[str, ...]:
        """Columns the task has and the table has not, under any spelling."""
        return self.difference.missing

    @property
    def unexpected(self) -> tuple[str, ...]:
        """Columns the table has and the task has not, under any spelling."""
        return self.difference.unexpected

    @property
    def respelled(self) -> FrozenMap[str]:
        """Expected name to the name found, where case, blanks, ``_`` or ``-`` differ."""
        return self.difference.respelled

    @property
    def like(self) -> tuple[str, ...]:
        """What else has these columns, in sentences."""
        return self.signature.like

    def to_dict(self) -> dict[str, Any]:
        """Return what there is to tell about it, ready for `json.dumps`."""
        signature, bundle = self.signature, self.bundle
        return {
            "slug": self.slug,
            "title": signature.title,
            "source": signature.source,
            "solver": signature.solver,
            "metric": vars(signature.metric),
            "path": str(bundle.path),
            "files": {
                "train": _name(bundle.train),
                "test": _name(bundle.test),
                "sample": _name(bundle.sample),
                "description": _name(bundle.description),
            },
            "key": list(signature.key),
            "missing": list(self.missing),
            "unexpected": list(self.unexpected),
            "respelled": dict(self.respelled),
            "like": list(self.like),
        }


def _name(member: Member | None) -> str | None:
    return member.name if member else None
