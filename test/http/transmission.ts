import type { Agent } from 'node:http';
import { fetchTransport as overFetch } from '../../src/http/fetch-transport.js';
import { nodeTransport as overNode } from '../../src/http/node-transport.js';
import type {
  SendOptions,
  Fetch,
  Transport,
  TransportResult,
  WireRequest,
} from '../../src/http/transport.js';

/** A request that is being sent, which the test can end. */
export interface Transmission {
  readonly result: Promise<TransportResult>;
  stop(): void;
}

export type Transmit = (request: WireRequest, options?: Partial<SendOptions>) => Transmission;

/** Sends over a transport, with enough time unless the options limit it. */
export function transmitting(transport: Transport): Transmit {
  return (request, options) => {
    let end: () => void = () => undefined;
    const registerStop = (given: () => void) => (end = given);
    const result = transport(request, { canBegin: () => true, isFresh: false, registerStop, ...options });
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
