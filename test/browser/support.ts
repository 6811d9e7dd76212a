import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  createMockService,
  type MockOptions,
  type MockServer,
  type MockService,
} from 'installment-payments/mock';
import type { PlainRequest } from '../helpers/signed-requests.js';

const executablePath =
  process.env['CHROMIUM_PATH'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A mock on its own socket. */
export interface RunningMock {
  readonly mock: MockService;
  readonly url: string;
  readonly send: (request: PlainRequest) => Promise<Response>;
}

/** A page, and the errors and warnings of its console. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** Chromium for a file of tests: a new context, and with it a new profile, for each page. */
export function useBrowser() {
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    if (executablePath === undefined)
      throw new Error('There is no Chromium: run test/browser/install-chromium.sh');
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(async () => {
    await browser?.close();
  });

  return {
    async open(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
      if (!browser) throw new Error('The browser is not there yet.');
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      ends.push(() => context.close());
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.setDefaultTimeout(5000);
      await page.goto(url);
      return { page, complaints };
    },

    async start(options: MockOptions = {}): Promise<RunningMock> {
      const mock = createMockService(options);
      const server: MockServer = await mock.listen();
      ends.push(() => server.close());
      return { mock, url: server.url, send: ({ path, init }) => fetch(server.url + path, init) };
    },

    /** A shop. It redirects requests below `/moved` to its other origin. */
    async shop(): Promise<{ readonly url: string; readonly otherOrigin: string }> {
      const server = createServer((request, response) => {
        const { port } = server.address() as AddressInfo;
        const [, moved] = /^\/moved(\/.*)$/.exec(request.url ?? '') ?? [];
        if (moved === undefined) {
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end('<!doctype html><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>');
        } else {
          response.writeHead(302, { location: `http://localhost:${String(port)}${moved}` }).end();
        }
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      ends.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      return { url: `http://127.0.0.1:${String(port)}`, otherOrigin: `http://localhost:${String(port)}` };
    },
  };
}

/** Presses Tab until an element with this accessible name has the focus, as a keyboard user would. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(
      "(() => { const e = document.activeElement; return e?.labels?.[0]?.innerText ?? e?.innerText ?? ''; })()",
    );
    if (typeof text === 'string' && (typeof name === 'string' ? text.includes(name) : name.test(text)))
      return;
  }
  expect.fail(`No element called ${String(name)} can be reached with the Tab key.`);
}
