import type { Agent } from 'node:http';
import { ConfigurationError } from '../errors/errors.js';
import { isInsecure } from '../protocol/urls.js';
import { HookResultError } from './failures.js';
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

/** At most one of `fetch` and `agent`. */
interface SharedOptions extends ObserverOptions {
  readonly baseUrl: string;
  readonly now?: (() => Date) | undefined;
  readonly fetch?: Fetch | undefined;
  readonly agent?: Agent | undefined;
}

/** What a new client has. */
export function createShared(options: SharedOptions, runtime: Runtime): Shared {
  const { baseUrl } = options;
  const shared = deriveShared({ runtime, transport: transportOf(options) }, options);
  if (isInsecure(baseUrl)) {
    const warning = 'allowInsecureHttp: requests are not encrypted, and anyone on the way can change them';
    shared.observer.log('warn', warning, { host: new URL(baseUrl).host });
  }
  return shared;
}

/** What a client with other options has: the connections are the same, the log and the clock its own. */
export function deriveShared(
  { runtime, transport }: Pick<Shared, 'runtime' | 'transport'>,
  options: SharedOptions,
): Shared {
  const { now } = options;
  const observer = new Observer(options);
  return { runtime: now ? { ...runtime, now: checked(now) } : runtime, observer, transport };
}

function transportOf({ fetch, agent }: SharedOptions): Transport {
  if (fetch) return fetchTransport(fetch);
  if (!isWorkers()) return nodeTransport(agent);
  if (agent) throw new ConfigurationError('agent', 'cannot be used under Cloudflare Workers: leave it out');
  return fetchTransport(workersFetch);
}

/** The caller's clock. Each time is a copy, because the Date belongs to the caller. */
function checked(now: () => Date): () => Date {
  return () => {
    const instant: unknown = now();
    if (isWireInstant(instant)) return new Date(instant);
    throw new HookResultError('now', 'is not a valid Date, such as new Date()');
  };
}
