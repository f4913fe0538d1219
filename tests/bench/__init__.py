"""Benchmarks: `make bench`. Ratios against others on the same engine, measured in turn."""
