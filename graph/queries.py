"""The statements of the store itself, by name: revision, schema version, health.

Reading statements are in reads.py, write statements are derived in plan.py, DDL in ddl.py.
"""

from typing import Final

from graph.names import ByKey

RAISE_REVISION: Final = ByKey("""
MERGE (c:Catalog {id: $id})
ON CREATE SET c.revision = 0, c.schemaVersion = $schemaVersion
SET c.revision = c.revision + 1
RETURN c.revision AS revision, c.schemaVersion AS schemaVersion
""")
"""First statement of every write: takes the lock that orders writers, so commit order is revision order."""

CATALOG: Final = """
MATCH (c:Catalog {id: $id})
RETURN c.revision AS revision, c.schemaVersion AS schemaVersion, c.schemaMark AS schemaMark
"""

CREATE_CATALOG: Final = """
MERGE (c:Catalog {id: $id})
ON CREATE SET c.revision = 0, c.schemaVersion = $schemaVersion
SET c.schemaMark = $schemaMark
"""

PING: Final = "RETURN 1 AS answer"
