import type { Agent } from 'node:http';
import type { Fetch, Transport } from './transport.js';

/** What a caller may replace of the transport; at most one of the two. */
export interface TransportOptions {
  readonly fetch?: Fetch | undefined;
  readonly agent?: Agent | undefined;
}

/** Loads a transport when the first call needs it: `node:https` takes longer to load than this package. */
export type TransportLoader = () => Transport | Promise<Transport>;

export function transportLoader({ fetch, agent }: TransportOptions): TransportLoader {
  let transport: Transport | undefined;
  const load = async (): Promise<Transport> =>
    fetch
      ? (await import('./fetch-transport.js')).fetchTransport(fetch)
      : (await import('./node-transport.js')).nodeTransport(agent);
  return () => transport ?? load().then((loaded) => (transport = loaded));
}
