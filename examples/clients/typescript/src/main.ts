// Which records of an operation fell to another implementation, to whom, and by how much?
//   node build/main.js OPERATION
import { ask, CatalogError } from './client.js';
import type { TakeOversQuery } from './gql/graphql.js';
import { graphql } from './gql/index.js';

const takeOvers = graphql(`
  query TakeOvers($operation: String!, $after: String) {
    records(filter: { operation: $operation, cause: NEW_RUN }, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          takeOver
          architecture
          group {
            workload {
              title
            }
            protocol {
              title
            }
          }
          event {
            at
            improvement
            run {
              submittedAs {
                slug
              }
            }
            previous {
              submittedAs {
                slug
              }
            }
          }
        }
      }
    }
  }
`);

async function main(operation: string, url: string): Promise<void> {
  let after: string | null = null;
  do {
    const { records }: TakeOversQuery = await ask(url, takeOvers, { operation, after });
    for (const { node } of records.edges) {
      const { at, improvement, run, previous } = node.event;
      if (!node.takeOver || improvement == null) continue;
      const [winner, loser] = [run, previous].map((holder) => holder?.submittedAs?.slug ?? '?');
      const { workload, protocol } = node.group ?? {};
      console.log(`${at} ${node.architecture}: ${winner} beat ${loser} by ${(100 * improvement).toFixed(1)} %`);
      console.log(`  ${workload?.title ?? '?'} (${protocol?.title ?? '?'})`);
    }
    after = records.pageInfo.hasNextPage ? records.pageInfo.endCursor : null;
  } while (after);
}

const [operation] = process.argv.slice(2);
const url = process.env.CATALOG_URL ?? 'http://127.0.0.1:8000/graphql';
if (!operation) {
  console.error('usage: node build/main.js OPERATION');
  process.exit(2);
}
try {
  await main(operation, url);
} catch (error) {
  console.error(error instanceof CatalogError ? `${error.codes.join(', ')}: ${error.message}` : error);
  process.exit(1);
}
