"""The rules of the domain: pure functions over plain values; no I/O, no graph, no GraphQL."""
