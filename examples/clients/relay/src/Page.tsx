import { graphql, useLazyLoadQuery } from 'react-relay';

import { Ranking } from './Ranking';
import type { PageQuery } from './__generated__/PageQuery.graphql';

/** The page of one comparison group: what was measured, how, and who is fastest. */
export function Page(props: { comparisonKey: string; count: number }) {
  const { comparisonGroup: group } = useLazyLoadQuery<PageQuery>(
    graphql`
      query PageQuery($key: Digest!, $count: Int!) {
        comparisonGroup(key: $key) {
          workload {
            title
          }
          protocol {
            title
          }
          environment {
            product
          }
          ...Ranking_group @arguments(count: $count)
        }
      }
    `,
    { key: props.comparisonKey, count: props.count },
  );
  if (!group) return <p>There is no such group.</p>;
  return (
    <main>
      <h1>{group.workload?.title}</h1>
      <p>
        {group.protocol?.title} on {group.environment?.product}
      </p>
      <Ranking group={group} />
    </main>
  );
}
