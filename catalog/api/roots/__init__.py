"""The root fields, by area: each module brings some, catalog.api.query puts them together."""
