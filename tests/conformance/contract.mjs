// The types and root fields of a contract variant that leaves out a tag, as JSON.
//   node contract.mjs SCHEMA.graphql TAG
import { composeSchemaContract } from "@theguild/federation-composition";
import { parse } from "graphql";
import { readFileSync } from "node:fs";

const [file, tag] = process.argv.slice(2);
const typeDefs = parse(readFileSync(file, "utf8"));
const filter = { include: new Set(), exclude: new Set([tag]) };
const result = composeSchemaContract([{ name: "catalog", url: "http://catalog", typeDefs }], filter, true);
if (result.errors) {
  for (const error of result.errors) console.error(error.message);
  process.exit(1);
}
const types = parse(result.publicSdl).definitions.filter(({ kind }) => kind.endsWith("TypeDefinition"));
const query = types.find(({ name }) => name.value === "Query");
const namesOf = (nodes) => nodes.map(({ name }) => name.value);
console.log(JSON.stringify({ types: namesOf(types), fields: namesOf(query.fields) }));
