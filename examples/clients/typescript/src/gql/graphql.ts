/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type TakeOversQueryVariables = Exact<{
  operation: string;
  after?: string | null | undefined;
}>;


export type TakeOversQuery = { records: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { takeOver: boolean, architecture: string, group: { workload: { title: string | null } | null, protocol: { title: string | null } | null } | null, event: { at: string, improvement: number | null, run: { submittedAs: { slug: string } | null } | null, previous: { submittedAs: { slug: string } | null } | null } } }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const TakeOversDocument = new TypedDocumentString(`
    query TakeOvers($operation: String!, $after: String) {
  records(
    filter: {operation: $operation, cause: NEW_RUN}
    first: 50
    after: $after
  ) {
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
    `) as unknown as TypedDocumentString<TakeOversQuery, TakeOversQueryVariables>;