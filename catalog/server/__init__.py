"""The HTTP server around a GraphQL schema.

It knows no graph and no product type: a schema, a context factory, a store probe and a manifest finder are
handed to :func:`catalog.server.app.create_app`.
"""
