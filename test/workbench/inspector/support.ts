import { createMockService, type MockOptions, type MockService } from '../../../src/entries/mock.js';
import { now, type PlainRequest } from '../../helpers/signed-requests.js';

const base = 'https://mock.example';

/** A mock whose pages are read without a browser. */
export interface MockPages {
  readonly mock: MockService;
  readonly send: (request: PlainRequest) => Promise<Response>;
  readonly get: (path: string) => Promise<Response>;
  /** The markup of a page. */
  readonly page: (path: string) => Promise<string>;
  /** The visible text of a page. */
  readonly text: (path: string) => Promise<string>;
  /** Sends a form of the controls, as a browser does. */
  readonly post: (path: string, fields: Record<string, string>) => Promise<Response>;
}

export function mockPages(options: MockOptions = {}): MockPages {
  const mock = createMockService({ now, ...options });
  const get = (path: string) => mock.fetch(base + path);
  const page = async (path: string) => (await get(path)).text();
  return {
    mock,
    get,
    page,
    send: ({ path, init }) => mock.fetch(base + path, init),
    text: async (path) => textOf(await page(path)),
    post: (path, fields) => {
      const headers = { accept: 'text/html', referer: `${base}/_mock/ui/controls` };
      return mock.fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
    },
  };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Markup without its tags, its white space collapsed. */
export function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[ \n]+/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
}
