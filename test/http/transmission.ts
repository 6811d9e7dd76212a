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
    let end: () => void = () => undefined;
    const onStop = (given: () => void) => (end = given);
    const result = transport(request, { mayBegin: () => true, idleConnections: 'any', onStop, ...terms });
    return {
      result,
      stop: () => {
        end();
      },
    };
  };
}

export const nodeTransport = (agent?: Agent): Transmit => transmitting(overNode(agent));
export const fetchTransport = (fetch: Fetch): Transmit => transmitting(overFetch(fetch));
