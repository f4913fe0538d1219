"""The object types of the schema: each a plain view of one entity."""
