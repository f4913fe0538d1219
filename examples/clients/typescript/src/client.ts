import type { TypedDocumentString } from './gql/graphql.js';

/** An error of the catalog: `codes` are those of docs/graphql.md. */
export class CatalogError extends Error {
  constructor(readonly codes: string[], message: string) {
    super(message);
  }
}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Asks the catalog at `url`. What comes back has the type of the query. */
export async function ask<Data, Variables>(
  url: string,
  query: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: query.toString(), variables }),
  });
  const { data, errors } = (await response.json()) as Answer<Data>;
  if (errors || !data) {
    const codes = (errors ?? []).map((error) => error.extensions?.code ?? 'UNKNOWN');
    throw new CatalogError(codes, (errors ?? []).map((error) => error.message).join('; '));
  }
  return data;
}
