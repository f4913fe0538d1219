"""Keeping a catalog: verifying what is stored, exporting what it holds."""
