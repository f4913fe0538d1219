"""The property graph: schema, store and engines. The only place that knows Cypher and the driver.

The names below load on first use, so that the engine's supervisor, which lives in this package, does not
carry the driver.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.embedded import EngineStatus, status, stop
    from graph.engines import open_store
    from graph.errors import StoreError
    from graph.store import ConnectionSettings, EngineInfo, Health, Store, WriteTx

__all__ = [
    "ConnectionSettings",
    "EngineInfo",
    "EngineStatus",
    "Health",
    "Store",
    "StoreError",
    "WriteTx",
    "open_store",
    "status",
    "stop",
]

_HOMES = {
    "ConnectionSettings": "store",
    "EngineInfo": "store",
    "EngineStatus": "embedded",
    "Health": "store",
    "Store": "store",
    "StoreError": "errors",
    "WriteTx": "store",
    "open_store": "engines",
    "status": "embedded",
    "stop": "embedded",
}


def __getattr__(name: str) -> Any:
    if home := _HOMES.get(name):
        return getattr(importlib.import_module(f"graph.{home}"), name)
    raise AttributeError(f"module 'graph' has no attribute {name!r}")
