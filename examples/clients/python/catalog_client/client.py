from typing import Any, Optional, Union

from .base_client import BaseClient
from .base_model import UNSET, UnsetType
from .boards import Boards
from .ranking import Ranking


def gql(q: str) -> str:
    return q


class CatalogClient(BaseClient):
    def boards(
        self,
        operation: str,
        architecture: str,
        after: Union[Optional[str], UnsetType] = UNSET,
        **kwargs: Any,
    ) -> Boards:
        query = gql("""
            query Boards($operation: String!, $architecture: String!, $after: String) {
              comparisonGroups(
                filter: {operation: $operation, architecture: $architecture}
                first: 20
                after: $after
              ) {
                pageInfo {
                  hasNextPage
                  endCursor
                }
                edges {
                  node {
                    key
                    eligibleCount
                    workload {
                      title
                    }
                    protocol {
                      title
                    }
                    leader {
                      submittedAs {
                        slug
                      }
                    }
                  }
                }
              }
            }
            """)
        variables: dict[str, object] = {
            "operation": operation,
            "architecture": architecture,
            "after": after,
        }
        response = self.execute(
            query=query, operation_name="Boards", variables=variables, **kwargs
        )
        data = self.get_data(response)
        return Boards.model_validate(data)

    def ranking(self, key: str, first: int, **kwargs: Any) -> Ranking:
        query = gql("""
            query Ranking($key: Digest!, $first: Int!) {
              comparisonGroup(key: $key) {
                metric {
                  metric
                  statistic
                  unit
                }
                runs(first: $first) {
                  edges {
                    rank
                    ratioToBest
                    node {
                      digest
                      evidenceLevel
                      observedAt
                      primary {
                        value
                      }
                      submittedAs {
                        slug
                      }
                      implementation {
                        deployability {
                          eligible
                          reasons
                        }
                      }
                    }
                  }
                }
              }
            }
            """)
        variables: dict[str, object] = {"key": key, "first": first}
        response = self.execute(
            query=query, operation_name="Ranking", variables=variables, **kwargs
        )
        data = self.get_data(response)
        return Ranking.model_validate(data)
