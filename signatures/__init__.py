"""Which known task is this dataset? Told from its column names alone.

The package needs the standard library only and reads headers only, so it answers at once. What is
known of a task is one TOML file in ``tasks/``.

>>> from signatures import REGISTRY
>>> REGISTRY["spaceship-titanic"].target
('Transported',)
"""

from signatures.bundle import Bundle, find
from signatures.columns import Near
from signatures.errors import (
    AmbiguousTaskError,
    BundleError,
    KnownTaskError,
    MissingDependencyError,
    RunFolderError,
    SignatureError,
    SubmissionError,
    TaskRejectedError,
    UnknownTaskError,
)
from signatures.headers import Header, read_header
from signatures.members import Member
from signatures.outcome import Match
from signatures.registry import REGISTRY, Registry, match
from signatures.signature import Metric, Signature

__all__ = [
    "REGISTRY",
    "AmbiguousTaskError",
    "Bundle",
    "BundleError",
    "Header",
    "KnownTaskError",
    "Match",
    "Member",
    "Metric",
    "MissingDependencyError",
    "Near",
    "Registry",
    "RunFolderError",
    "Signature",
    "SignatureError",
    "SubmissionError",
    "TaskRejectedError",
    "UnknownTaskError",
    "find",
    "match",
    "read_header",
]
