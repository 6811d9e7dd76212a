import type { Agent } from 'node:http';
import { fetchTransport as overFetch } from '../../src/http/fetch-transport.js';
import { nodeTransport as overNode } from '../../src/http/node-transport.js';
import type {
  AttemptTerms,
  Fetch,
  Transport,
  TransportResult,
  WireRequest,
} from '../../src/http/transport.js';

/** A request that is being sent, which the test may end. */
export interface Transmission {
  readonly result: Promise<TransportResult>;
  stop(): void;
}

export type Transmit = (request: WireRequest, terms?: Partial<AttemptTerms>) => Transmission;

/** Sends over a transport, with time enough unless the terms say otherwise. */
export function transmitting(transport: Transport): Transmit {
  return (request, terms) => {
    const controller = new AbortController();
    const { signal } = controller;
    const result = transport(request, { leftMs: () => 15_000, idleConnections: 'any', signal, ...terms });
    return { result, stop: () => controller.abort() };
  };
}

export const nodeTransport = (agent?: Agent): Transmit => transmitting(overNode(agent));
export const fetchTransport = (fetch: Fetch): Transmit => transmitting(overFetch(fetch));
