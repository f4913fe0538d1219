// Hive's gateway over a supergraph.   node hive-gateway.mjs supergraph.graphql [PORT]
// Subscriptions reach a subgraph over WebSocket, and come out as server-sent events.
import { createGatewayRuntime } from "@graphql-hive/gateway-runtime";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";

const [file, port = "4001"] = process.argv.slice(2);
const gateway = createGatewayRuntime({
  supergraph: readFileSync(file, "utf8"),
  logging: "warn",
  transportEntries: { "*": { options: { subscriptions: { kind: "ws" } } } },
});
const server = createServer(gateway);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
server.listen(Number(port), process.env.HOST ?? "127.0.0.1", () => {
  const { address, port: taken } = server.address();
  console.log(`Hive gateway: http://${address}:${taken}${gateway.graphqlEndpoint}`);
});
