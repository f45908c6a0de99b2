"""A mapping that cannot be changed."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

V = TypeVar("V", covariant=True)


class FrozenMap(Mapping[str, V]):
    """A read-only mapping in insertion order.

    `types.MappingProxyType` would do, but it can be neither pickled nor hashed, and signatures
    travel to worker processes.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V] | None = None) -> None:
        self._items = dict(items or {})

    def __getitem__(self, key: str) -> V:
        """Return the value of `key`."""
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys."""
        return iter(self._items)

    def __len__(self) -> int:
        """Count the keys."""
        return len(self._items)

    def __hash__(self) -> int:
        """Hash keys and values, which have to be hashable."""
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        """Return the call that makes an equal mapping."""
        return f"{type(self).__name__}({self._items!r})"
