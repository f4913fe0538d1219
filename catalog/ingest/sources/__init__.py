"""One module per source of evidence; the table of them is in catalog.ingest.sources.table."""
