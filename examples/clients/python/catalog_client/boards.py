from typing import Optional

from pydantic import Field

from .base_model import BaseModel


class Boards(BaseModel):
    comparison_groups: "BoardsComparisonGroups" = Field(alias="comparisonGroups")


class BoardsComparisonGroups(BaseModel):
    page_info: "BoardsComparisonGroupsPageInfo" = Field(alias="pageInfo")
    edges: list["BoardsComparisonGroupsEdges"]


class BoardsComparisonGroupsPageInfo(BaseModel):
    has_next_page: bool = Field(alias="hasNextPage")
    end_cursor: Optional[str] = Field(alias="endCursor")


class BoardsComparisonGroupsEdges(BaseModel):
    node: "BoardsComparisonGroupsEdgesNode"


class BoardsComparisonGroupsEdgesNode(BaseModel):
    key: str
    eligible_count: int = Field(alias="eligibleCount")
    workload: Optional["BoardsComparisonGroupsEdgesNodeWorkload"]
    protocol: Optional["BoardsComparisonGroupsEdgesNodeProtocol"]
    leader: Optional["BoardsComparisonGroupsEdgesNodeLeader"]


class BoardsComparisonGroupsEdgesNodeWorkload(BaseModel):
    title: Optional[str]


class BoardsComparisonGroupsEdgesNodeProtocol(BaseModel):
    title: Optional[str]


class BoardsComparisonGroupsEdgesNodeLeader(BaseModel):
    submitted_as: Optional["BoardsComparisonGroupsEdgesNodeLeaderSubmittedAs"] = Field(
        alias="submittedAs"
    )


class BoardsComparisonGroupsEdgesNodeLeaderSubmittedAs(BaseModel):
    slug: str


Boards.model_rebuild()
BoardsComparisonGroups.model_rebuild()
BoardsComparisonGroupsEdges.model_rebuild()
BoardsComparisonGroupsEdgesNode.model_rebuild()
BoardsComparisonGroupsEdgesNodeLeader.model_rebuild()
