"""The root fields, by area: each module brings some, catalog.api.query puts them together.

The description of each states how many statements it costs at most (docs/graphql.md, Statements).
"""
