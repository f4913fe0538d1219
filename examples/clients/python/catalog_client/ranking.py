from datetime import datetime
from typing import Optional

from pydantic import Field

from .base_model import BaseModel
from .enums import EvidenceLevel


class Ranking(BaseModel):
    comparison_group: Optional["RankingComparisonGroup"] = Field(
        alias="comparisonGroup"
    )


class RankingComparisonGroup(BaseModel):
    metric: "RankingComparisonGroupMetric"
    runs: "RankingComparisonGroupRuns"


class RankingComparisonGroupMetric(BaseModel):
    metric: str
    statistic: Optional[str]
    unit: Optional[str]


class RankingComparisonGroupRuns(BaseModel):
    edges: list["RankingComparisonGroupRunsEdges"]


class RankingComparisonGroupRunsEdges(BaseModel):
    rank: Optional[int]
    ratio_to_best: Optional[float] = Field(alias="ratioToBest")
    node: "RankingComparisonGroupRunsEdgesNode"


class RankingComparisonGroupRunsEdgesNode(BaseModel):
    digest: str
    evidence_level: Optional[EvidenceLevel] = Field(alias="evidenceLevel")
    observed_at: Optional[datetime] = Field(alias="observedAt")
    primary: Optional["RankingComparisonGroupRunsEdgesNodePrimary"]
    submitted_as: Optional["RankingComparisonGroupRunsEdgesNodeSubmittedAs"] = Field(
        alias="submittedAs"
    )
    implementation: Optional["RankingComparisonGroupRunsEdgesNodeImplementation"]


class RankingComparisonGroupRunsEdgesNodePrimary(BaseModel):
    value: float


class RankingComparisonGroupRunsEdgesNodeSubmittedAs(BaseModel):
    slug: str


class RankingComparisonGroupRunsEdgesNodeImplementation(BaseModel):
    deployability: Optional[
        "RankingComparisonGroupRunsEdgesNodeImplementationDeployability"
    ]


class RankingComparisonGroupRunsEdgesNodeImplementationDeployability(BaseModel):
    eligible: bool
    reasons: list[str]


Ranking.model_rebuild()
RankingComparisonGroup.model_rebuild()
RankingComparisonGroupRuns.model_rebuild()
RankingComparisonGroupRunsEdges.model_rebuild()
RankingComparisonGroupRunsEdgesNode.model_rebuild()
RankingComparisonGroupRunsEdgesNodeImplementation.model_rebuild()
