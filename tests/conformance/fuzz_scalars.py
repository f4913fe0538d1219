"""How schemathesis draws the catalog's scalars; it runs this in an environment of its own.

Digests are mostly ones that the catalog holds, whole or cut: CATALOG_FUZZ names a JSON list of them.
"""

import json
import os
from pathlib import Path

import schemathesis
from hypothesis import strategies as st
from hypothesis_graphql import nodes

DIGESTS = json.loads(Path(os.environ["CATALOG_FUZZ"]).read_text())
REAL = st.sampled_from(DIGESTS)
CUT = st.builds(lambda digest, length: digest[len("sha256:") :][:length], REAL, st.integers(8, 64))
MADE = st.text("0123456789abcdef", min_size=64, max_size=64).map("sha256:".__add__)
INSTANTS = st.datetimes(timezones=st.timezones()).map(lambda instant: instant.isoformat())

schemathesis.graphql.scalar("Digest", st.one_of(REAL, REAL, CUT, MADE, st.text()).map(nodes.String))
schemathesis.graphql.scalar("DateTime", st.one_of(INSTANTS, st.text()).map(nodes.String))
