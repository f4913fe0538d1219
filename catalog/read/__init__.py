"""Reading the catalog: snapshots of a revision, batched loads, lists. Knows the graph store and the domain;
knows no GraphQL and no HTTP.
"""

from catalog.read.entities import Entity
from catalog.read.groups import Group
from catalog.read.snapshot import Snapshot, Snapshots

__all__ = ["Entity", "Group", "Snapshot", "Snapshots"]
