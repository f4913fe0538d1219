"""`CATALOG_TEST_DATA=DIR python -m tests.answers` writes the table of docs/answers.md from the raw files."""

import os
from pathlib import Path

from tests.answers import finding, honesty, lineage, made, ranked, records, serving  # noqa: F401 - they enter
from tests.answers.book import HEAD, PAGE, table
from tests.answers.raw import Raw

before, rest = PAGE.read_text().split(HEAD)
after = rest.partition("\n\n")[2]
PAGE.write_text(f"{before}{table(Raw(Path(os.environ['CATALOG_TEST_DATA'])))}\n\n{after}")
