"""A Neo4j server for tests without Docker: jars by Maven into .cache/, run on free loopback ports."""
