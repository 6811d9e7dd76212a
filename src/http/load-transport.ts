import type { Agent } from 'node:http';
import type { Fetch, Transport } from './transport.js';

export interface TransportOptions {
  readonly fetch?: Fetch | undefined;
  readonly agent?: Agent | undefined;
}

/** Loads the transport for the first call: `node:https` takes longer to load than this package. */
export type TransportLoader = () => Transport | Promise<Transport>;

export function transportLoader({ fetch, agent }: TransportOptions): TransportLoader {
  let transport: Transport | undefined;
  const load = async (): Promise<Transport> =>
    fetch
      ? (await import('./fetch-transport.js')).fetchTransport(fetch)
      : (await import('./node-transport.js')).nodeTransport(agent);
  return () => transport ?? load().then((loaded) => (transport = loaded));
}
