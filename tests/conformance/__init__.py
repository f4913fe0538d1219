"""Suites and tools of others, run against the catalog as it is served.

What they find is in docs/conformance.md. The npm tools are pinned by package.json beside this file.
"""
