import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { MockService } from '../../src/mock/index.js';

/** A mock behind a server that sees every request as it arrives, whether or not somebody waits for its answer. */
export interface SlowService extends AsyncDisposable {
  readonly url: string;
  /** The references of what has arrived. */
  readonly arrived: string[];
}

/** Serves a mock, which acts on each request after as many milliseconds as `delayOf` says. */
export async function serveSlowly(
  mock: MockService,
  delayOf: (referenceId: string) => number,
): Promise<SlowService> {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    const serve = async () => {
      const body = await buffer(request);
      const text = body.toString('latin1');
      const reference = /"referenceId"(?:\r\n\r\n|:")([\w:-]+)/.exec(text)?.[1] ?? '';
      arrived.push(reference);
      await wait(delayOf(reference));
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const baseUrl = `http://${request.headers.host ?? ''}`;
      const init = { method: 'POST', headers, body, baseUrl };
      const answer = await mock.fetch(`${baseUrl}${request.url ?? ''}`, init);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    };
    // A worker that was killed is no longer there to be answered.
    serve().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    arrived,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
