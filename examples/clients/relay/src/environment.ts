import { Environment, Network, RecordSource, Store, type FetchFunction } from 'relay-runtime';

/** A Relay environment over the catalog at `url`. */
export function environmentOf(url: string): Environment {
  const ask: FetchFunction = async (request, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query: request.text, operationName: request.name, variables }),
    });
    return response.json();
  };
  return new Environment({ network: Network.create(ask), store: new Store(new RecordSource()) });
}
