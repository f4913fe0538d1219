from .base_client import BaseClient
from .base_model import BaseModel, Upload
from .boards import (
    Boards,
    BoardsComparisonGroups,
    BoardsComparisonGroupsEdges,
    BoardsComparisonGroupsEdgesNode,
    BoardsComparisonGroupsEdgesNodeLeader,
    BoardsComparisonGroupsEdgesNodeLeaderSubmittedAs,
    BoardsComparisonGroupsEdgesNodeProtocol,
    BoardsComparisonGroupsEdgesNodeWorkload,
    BoardsComparisonGroupsPageInfo,
)
from .client import CatalogClient
from .enums import EvidenceLevel
from .exceptions import (
    GraphQLClientError,
    GraphQLClientGraphQLError,
    GraphQLClientGraphQLMultiError,
    GraphQLClientHttpError,
    GraphQLClientInvalidResponseError,
)
from .ranking import (
    Ranking,
    RankingComparisonGroup,
    RankingComparisonGroupMetric,
    RankingComparisonGroupRuns,
    RankingComparisonGroupRunsEdges,
    RankingComparisonGroupRunsEdgesNode,
    RankingComparisonGroupRunsEdgesNodeImplementation,
    RankingComparisonGroupRunsEdgesNodeImplementationDeployability,
    RankingComparisonGroupRunsEdgesNodePrimary,
    RankingComparisonGroupRunsEdgesNodeSubmittedAs,
)

__all__ = [
    "BaseClient",
    "BaseModel",
    "Boards",
    "BoardsComparisonGroups",
    "BoardsComparisonGroupsEdges",
    "BoardsComparisonGroupsEdgesNode",
    "BoardsComparisonGroupsEdgesNodeLeader",
    "BoardsComparisonGroupsEdgesNodeLeaderSubmittedAs",
    "BoardsComparisonGroupsEdgesNodeProtocol",
    "BoardsComparisonGroupsEdgesNodeWorkload",
    "BoardsComparisonGroupsPageInfo",
    "CatalogClient",
    "EvidenceLevel",
    "GraphQLClientError",
    "GraphQLClientGraphQLError",
    "GraphQLClientGraphQLMultiError",
    "GraphQLClientHttpError",
    "GraphQLClientInvalidResponseError",
    "Ranking",
    "RankingComparisonGroup",
    "RankingComparisonGroupMetric",
    "RankingComparisonGroupRuns",
    "RankingComparisonGroupRunsEdges",
    "RankingComparisonGroupRunsEdgesNode",
    "RankingComparisonGroupRunsEdgesNodeImplementation",
    "RankingComparisonGroupRunsEdgesNodeImplementationDeployability",
    "RankingComparisonGroupRunsEdgesNodePrimary",
    "RankingComparisonGroupRunsEdgesNodeSubmittedAs",
    "Upload",
]
