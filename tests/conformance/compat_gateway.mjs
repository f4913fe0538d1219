// Composes the subgraphs given as NAME=URL and serves the supergraph with Apollo's gateway on a free port.
// Prints {"url": …} once it listens.
import { composeServices } from '@apollo/composition';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { parse } from 'graphql';

const subgraphs = process.argv.slice(2).map((argument) => {
  const [name, url] = argument.split(/=(.*)/s);
  return { name, url };
});
for (const subgraph of subgraphs) {
  const response = await fetch(subgraph.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  subgraph.typeDefs = parse((await response.json()).data._service.sdl);
}
const { supergraphSdl, errors } = composeServices(subgraphs);
if (errors) {
  console.error(errors.map((error) => error.message).join('\n'));
  process.exit(1);
}
const server = new ApolloServer({ gateway: new ApolloGateway({ supergraphSdl }) });
const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
console.log(JSON.stringify({ url }));
