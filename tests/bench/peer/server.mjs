// Serves the graph of NEO4J_URI on the loopback address until it is ended; prints the port once it answers.
import { readFileSync } from "node:fs";
import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { startStandaloneServer } from "@apollo/server/standalone";
import { Neo4jGraphQL } from "@neo4j/graphql";
import neo4j from "neo4j-driver";

const { NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE } = process.env;
const auth = NEO4J_USERNAME ? neo4j.auth.basic(NEO4J_USERNAME, NEO4J_PASSWORD ?? "") : undefined;
const driver = neo4j.driver(NEO4J_URI, auth);
const typeDefs = readFileSync(new URL("schema.graphql", import.meta.url), "utf8");
const schema = await new Neo4jGraphQL({ typeDefs, driver }).getSchema();
const server = new ApolloServer({
  schema,
  csrfPrevention: false,
  introspection: false,
  plugins: [ApolloServerPluginLandingPageDisabled()],
});
const context = async () => ({ sessionConfig: { database: NEO4J_DATABASE } });
const { url } = await startStandaloneServer(server, { listen: { host: "127.0.0.1", port: 0 }, context });
console.log(url);
