// The audits of GraphQL over HTTP that npm's graphql-http knows, as JSON: node audit.mjs URL
import { serverAudits } from 'graphql-http';

const [url] = process.argv.slice(2);
const results = [];
for (const audit of serverAudits({ url })) {
  const { status, reason } = await audit.fn();
  results.push({ id: audit.id, name: audit.name, status, reason: reason ?? null });
}
console.log(JSON.stringify(results));
