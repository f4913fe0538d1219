// The page as HTML, rendered on a server: node build/render.js KEY
import { Suspense } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { RelayEnvironmentProvider } from 'react-relay';

import { Page } from './Page';
import { environmentOf } from './environment';

async function render(key: string, url: string): Promise<string> {
  let fault: unknown;
  const stream = await renderToReadableStream(
    <RelayEnvironmentProvider environment={environmentOf(url)}>
      <Suspense fallback="…">
        <Page comparisonKey={key} count={20} />
      </Suspense>
    </RelayEnvironmentProvider>,
    { onError: (error) => void (fault = error) },
  );
  await stream.allReady;
  if (fault) throw fault;
  return new Response(stream).text();
}

const [key] = process.argv.slice(2);
const url = process.env.CATALOG_URL ?? 'http://127.0.0.1:8000/graphql';
if (!key) {
  console.error('usage: node build/render.js KEY');
  process.exit(2);
}
void render(key, url).then((html) => {
  console.log(html);
  process.exit(); // Relay keeps a timer for what it has fetched
});
