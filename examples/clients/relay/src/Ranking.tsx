import { graphql, usePaginationFragment } from 'react-relay';

import { Run } from './Run';
import type { RankingPaginationQuery } from './__generated__/RankingPaginationQuery.graphql';
import type { Ranking_group$key } from './__generated__/Ranking_group.graphql';

/** The runs of one comparison group by rank, a page more at each press of the button. */
export function Ranking(props: { group: Ranking_group$key }) {
  const { data, loadNext, hasNext, isLoadingNext } = usePaginationFragment<
    RankingPaginationQuery,
    Ranking_group$key
  >(
    graphql`
      fragment Ranking_group on ComparisonGroup
      @refetchable(queryName: "RankingPaginationQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
        runs(first: $count, after: $cursor) @connection(key: "Ranking_runs") {
          edges {
            rank
            ratioToBest
            node {
              id
              ...Run_run
            }
          }
        }
      }
    `,
    props.group,
  );
  return (
    <>
      <table>
        <tbody>
          {data.runs.edges.map((edge) => (
            <tr key={edge.node.id}>
              <td>{edge.rank ?? 'not ranked'}</td>
              <td>{edge.ratioToBest?.toFixed(3)}</td>
              <Run run={edge.node} />
            </tr>
          ))}
        </tbody>
      </table>
      {hasNext && (
        <button disabled={isLoadingNext} onClick={() => loadNext(20)}>
          more
        </button>
      )}
    </>
  );
}
