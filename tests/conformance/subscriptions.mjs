// Follows the feed by the libraries of both protocols: node subscriptions.mjs URL COUNT, prints what each of them got.
// Each is cut once in the middle and goes on behind the last cursor.
import { createClient as createSse } from "graphql-sse";
import { createClient as createSocket } from "graphql-ws";
import WebSocket from "ws";

const [url, count] = [process.argv[2], Number(process.argv[3])];
const query = `subscription ($since: Int, $after: String) {
  runPublished(sinceRevision: $since, after: $after) { cursor run { digest } }
}`;

async function follow(make) {
  const found = [];
  while (found.length < count) {
    const client = make();
    const variables = found.length ? { after: found.at(-1).cursor } : { since: 0 };
    const most = found.length ? count : Math.floor(count / 2);
    for await (const { data, errors } of client.iterate({ query, variables })) {
      if (errors) throw new Error(JSON.stringify(errors));
      found.push(data.runPublished);
      if (found.length === most) break;
    }
    await client.dispose();
  }
  return found;
}

async function failure(make) {
  const client = make();
  try {
    for await (const result of client.iterate({ query: "subscription { nothing }" })) {
      if (result.errors) return result.errors;
    }
  } catch (error) {
    return Array.isArray(error) ? error : [{ message: String(error) }];
  } finally {
    await client.dispose();
  }
}

const clients = {
  "graphql-ws": () => createSocket({ url: url.replace(/^http/, "ws"), webSocketImpl: WebSocket, retryAttempts: 0 }),
  "graphql-sse": () => createSse({ url, retryAttempts: 0 }),
};
const told = {};
for (const [name, make] of Object.entries(clients)) {
  told[name] = { events: await follow(make), failure: await failure(make) };
}
console.log(JSON.stringify(told));
