// Composes a supergraph of the subgraphs in a configuration, and prints it.
//
//   node compose.mjs [--composer apollo|hive] supergraph.yaml > supergraph.graphql
//
// A schema is asked of its subgraph (schema.subgraph_url) or read from a file (schema.file). Faults go to stderr,
// one a line: code, then message. Exit code 1.
import { composeServices as composeByApollo } from "@apollo/composition";
import { composeServices as composeByHive } from "@theguild/federation-composition";
import { parse } from "graphql";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse as parseYaml } from "yaml";

const composers = { apollo: composeByApollo, hive: composeByHive };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { composer: { type: "string", default: "apollo" } },
});
const [path] = positionals;
const compose = composers[values.composer];
if (!path || !compose) {
  console.error("usage: node compose.mjs [--composer apollo|hive] supergraph.yaml");
  process.exit(2);
}

async function sdlOf({ file, subgraph_url: url }) {
  if (file) return readFileSync(file, "utf8");
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ _service { sdl } }" }),
  });
  const answer = await response.json();
  if (!answer.data?._service) throw new Error(`${url} is no subgraph: ${JSON.stringify(answer)}`);
  return answer.data._service.sdl;
}

function fromEnvironment(text) {
  return text.replace(/\$\{env\.(\w+)\}/g, (_, name) => {
    if (!process.env[name]) throw new Error(`${path}: set ${name}`);
    return process.env[name];
  });
}

try {
  const { subgraphs } = parseYaml(fromEnvironment(readFileSync(path, "utf8")));
  const services = await Promise.all(
    Object.entries(subgraphs).map(async ([name, { routing_url: url, schema }]) => ({
      name,
      url,
      typeDefs: parse(await sdlOf(schema)),
    })),
  );
  const { supergraphSdl, errors } = compose(services);
  for (const error of errors ?? []) console.error(`${error.extensions?.code} ${error.message.split("\n")[0]}`);
  if (errors?.length) process.exit(1);
  process.stdout.write(supergraphSdl.trimEnd() + "\n");
} catch (error) {
  console.error(error.cause ? `${error.message}: ${error.cause.message}` : error.message);
  process.exit(1);
}
