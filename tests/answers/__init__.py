"""The answers to examples/queries that the raw files give, worked out without the catalog.

A module per area holds one function a question. What they have in common is in raw.py, which knows the rows
of the public export and of Liger's CSV files, and states the rules it needs a second time, as plainly as it
can.
"""
