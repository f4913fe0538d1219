"""The GraphQL schema: thin types over what catalog.read gives."""
