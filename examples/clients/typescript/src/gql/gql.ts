/* eslint-disable */
import * as types from './graphql.js';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query TakeOvers($operation: String!, $after: String) {\n    records(filter: { operation: $operation, cause: NEW_RUN }, first: 50, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      edges {\n        node {\n          takeOver\n          architecture\n          group {\n            workload {\n              title\n            }\n            protocol {\n              title\n            }\n          }\n          event {\n            at\n            improvement\n            run {\n              submittedAs {\n                slug\n              }\n            }\n            previous {\n              submittedAs {\n                slug\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.TakeOversDocument,
};
const documents: Documents = {
    "\n  query TakeOvers($operation: String!, $after: String) {\n    records(filter: { operation: $operation, cause: NEW_RUN }, first: 50, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      edges {\n        node {\n          takeOver\n          architecture\n          group {\n            workload {\n              title\n            }\n            protocol {\n              title\n            }\n          }\n          event {\n            at\n            improvement\n            run {\n              submittedAs {\n                slug\n              }\n            }\n            previous {\n              submittedAs {\n                slug\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": types.TakeOversDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TakeOvers($operation: String!, $after: String) {\n    records(filter: { operation: $operation, cause: NEW_RUN }, first: 50, after: $after) {\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      edges {\n        node {\n          takeOver\n          architecture\n          group {\n            workload {\n              title\n            }\n            protocol {\n              title\n            }\n          }\n          event {\n            at\n            improvement\n            run {\n              submittedAs {\n                slug\n              }\n            }\n            previous {\n              submittedAs {\n                slug\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').TakeOversDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
