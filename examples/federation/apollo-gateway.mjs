// Apollo's gateway over a supergraph.   node apollo-gateway.mjs supergraph.graphql [PORT]
import { ApolloGateway } from "@apollo/gateway";
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { readFileSync } from "node:fs";

const [file, port = "4000"] = process.argv.slice(2);
const gateway = new ApolloGateway({ supergraphSdl: readFileSync(file, "utf8") });
const server = new ApolloServer({ gateway, includeStacktraceInErrorResponses: false });
const { url } = await startStandaloneServer(server, {
  listen: { host: process.env.HOST ?? "127.0.0.1", port: Number(port) },
});
console.log(`Apollo gateway: ${url}`);
