"""What a question says that the answer could not take as it stands."""

from __future__ import annotations

import strawberry


@strawberry.type(description="Something of a question that could not be taken as it stands.")
class SearchIssue:
    token: str = strawberry.field(description="The part of the question.")
    message: str = strawberry.field(description="What is to be known about it.")
    suggestion: str | None = strawberry.field(description="What may have been meant.")
