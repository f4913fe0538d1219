import { graphql, useRefetchableFragment } from 'react-relay';

import type { RunRefetchQuery } from './__generated__/RunRefetchQuery.graphql';
import type { Run_run$key } from './__generated__/Run_run.graphql';

/** One run; its button asks for it again, by its global id. */
export function Run(props: { run: Run_run$key }) {
  const [run, refetch] = useRefetchableFragment<RunRefetchQuery, Run_run$key>(
    graphql`
      fragment Run_run on BenchmarkRun @refetchable(queryName: "RunRefetchQuery") {
        digest
        evidenceLevel
        primary {
          value
          unit
        }
        submittedAs {
          title
        }
        standing {
          reasons
        }
      }
    `,
    props.run,
  );
  return (
    <>
      <td>{run.submittedAs?.title ?? run.digest}</td>
      <td>{run.primary ? `${run.primary.value} ${run.primary.unit}` : run.standing.reasons.join(', ')}</td>
      <td>{run.evidenceLevel}</td>
      <td>
        <button onClick={() => refetch({}, { fetchPolicy: 'store-and-network' })}>again</button>
      </td>
    </>
  );
}
