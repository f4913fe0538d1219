"""Manifests: the documents in which evidence is exchanged (docs/domain.md §1).

One module per area states the fields of its kinds; :mod:`.validation` turns a plain mapping into a
:class:`Manifest` or says everything that is wrong with it. Reading bytes is left to
``catalog.domain.documents``.
"""

from catalog.domain.manifests.kinds import API_VERSION, KINDS, OWN_API_VERSION, Kind
from catalog.domain.manifests.validation import Manifest, validate

__all__ = ["API_VERSION", "KINDS", "OWN_API_VERSION", "Kind", "Manifest", "validate"]
