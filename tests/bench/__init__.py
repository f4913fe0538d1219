"""Benchmarks: `make bench`. Ratios against bare drivers, measured side by side; nothing asserts time."""
