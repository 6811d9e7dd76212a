import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { builtSite } from '../helpers/built-site.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves the site for the tests of a file. The function that is returned gives the URL of a path. */
export function useSite(): (path: string) => string {
  const server = createServer();
  beforeAll(async () => {
    const site = await builtSite();
    server.on('request', (request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
      const file = path.endsWith('/') ? `${path}index.html` : path;
      readFile(join(site, file)).then(
        (bytes) => response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }, 600_000);
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return (path) => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`;
}
