import type { Agent } from 'node:http';
import { ConfigurationError } from '../errors/errors.js';
import { isInsecure } from '../protocol/urls.js';
import { UnusableResultError } from './failures.js';
import { isWireInstant } from '../protocol/timestamps.js';
import { fetchTransport } from './fetch-transport.js';
import { nodeTransport } from './node-transport.js';
import { Observer, type ObserverOptions } from './observer.js';
import type { Runtime } from './runtime.js';
import type { Fetch, Transport } from './transport.js';
import { isWorkers, workersFetch } from './workers.js';

/** The resources that all calls of one client share. */
export interface Shared {
  readonly runtime: Runtime;
  readonly observer: Observer;
  readonly transport: Transport;
}

/** Options for the shared resources. `fetch` and `agent` cannot be combined. */
interface SharedOptions extends ObserverOptions {
  readonly baseUrl: string;
  readonly now?: (() => Date) | undefined;
  readonly fetch?: Fetch | undefined;
  readonly agent?: Agent | undefined;
}

export function createShared(options: SharedOptions, runtime: Runtime): Shared {
  const { baseUrl } = options;
  const shared = deriveShared({ runtime, transport: transportOf(options) }, options);
  if (isInsecure(baseUrl)) {
    const warning =
      'requests are not encrypted (allowInsecureHttp): anyone on the network path can read and change them';
    shared.observer.log('warn', warning, { host: new URL(baseUrl).host });
  }
  return shared;
}

/**
 * Creates the resources of a client with changed options: the connections are shared, the log and the clock are not.
 */
export function deriveShared(
  { runtime, transport }: Pick<Shared, 'runtime' | 'transport'>,
  options: SharedOptions,
): Shared {
  const { now } = options;
  const observer = new Observer(options);
  return { runtime: now ? { ...runtime, now: checkedClock(now) } : runtime, observer, transport };
}

function transportOf({ fetch, agent }: SharedOptions): Transport {
  if (fetch) return fetchTransport(fetch);
  if (!isWorkers()) return nodeTransport(agent);
  if (agent) throw new ConfigurationError('agent', 'cannot be used under Cloudflare Workers: leave it out');
  return fetchTransport(workersFetch);
}

/**
 * Returns a clock that checks each Date of the caller's clock. The Date is copied, because the caller can change it
 * later.
 */
function checkedClock(now: () => Date): () => Date {
  return () => {
    const instant: unknown = now();
    if (isWireInstant(instant)) return new Date(instant);
    throw new UnusableResultError('now', 'is not a valid Date, such as new Date()');
  };
}
