"""A program that writes: `python -m tests.graph.writer DATA_DIR NAME TIMES`, one line per acknowledged write.

Each write adds one run and hangs it on the one environment that all writers share.
"""

import asyncio
import sys
from pathlib import Path

from graph.engines import open_store
from graph.plan import WritePlan, apply
from graph.store import WriteTx

EXTRA = 20
"""Further runs in each write, so that a torn write would show."""


async def main(data_dir: Path, name: str, times: int) -> None:
    async with open_store(data_dir, {}) as store:
        for number in range(times):

            async def work(tx: WriteTx, number: int = number) -> None:
                key = f"{name}-{number}"
                if await tx.run("MATCH (n:Run {digest: $key}) RETURN n.digest AS digest", key=key):
                    tx.abandon()
                plan = WritePlan()
                plan.node("Environment", "shared")
                for part in (key, *(f"{key}.{extra}" for extra in range(EXTRA))):
                    plan.node("Run", part)
                    plan.edge("Run-IN_ENVIRONMENT->Environment", part, "shared")
                await apply(tx, plan)

            await store.write(work)
            print(number, flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
