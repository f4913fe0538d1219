"""A federated GraphQL catalog of GPU-kernel benchmark evidence."""

__version__ = "0.1.0"
