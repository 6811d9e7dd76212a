import { nodeTransport } from '../../../http/node-transport.js';
import { isUnreadableResult, parseBody } from '../../../http/response.js';
import { readableHeaders, type TransportResult } from '../../../http/transport.js';
import { watchLimit } from '../../../values/time-limit.js';
import { isRecord } from '../../../values/untrusted-values.js';
import type { WireRequest } from './requests.js';

/** A response as it arrived. */
export interface RawResponse {
  readonly httpStatus: number;
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined if it cannot be read as a JSON object. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** True if the body is too large, incomplete, in an unknown encoding, or if the client cannot read its result. */
  readonly isUnreadable?: boolean;
}

/** Sends a request once. Resolves to the reason, as a text, if no complete response arrived. */
export type Send = (
  request: WireRequest,
  limitMs: number,
  signal: AbortSignal,
) => Promise<RawResponse | string>;

const transport = nodeTransport();

/** Sends a request and reads its response as the client does, over a new connection of the shared agents. */
export const send: Send = async ({ url, headers, body }, limitMs, signal) => {
  let isOver = signal.aborted;
  let end: () => void = () => undefined;
  const registerStop = (given: () => void) => {
    end = given;
    if (isOver) given();
  };
  const unwatch = watchLimit(limitMs, signal, () => {
    isOver = true;
    end();
  });
  const wire = { method: 'POST', url: new URL(url), headers, body } as const;
  const result = await transport(wire, { isFresh: true, canBegin: () => !isOver, registerStop });
  unwatch();
  return received(result) ?? result.failure?.code ?? `no response within ${limitMs} ms`;
};

/** The response, if it is complete, or if its JSON is complete. */
function received({ phase, response }: TransportResult): RawResponse | undefined {
  if (!response) return undefined;
  const { httpStatus, bodyState, isRedirect } = response;
  const parsed = parseBody(response);
  const body = !isRedirect && parsed.ok && isRecord(parsed.value) ? parsed.value : undefined;
  if (!body && phase !== 'complete' && bodyState !== 'too_large') return undefined;
  const isIncomplete = !body && (bodyState === 'cut' || bodyState === 'too_large');
  const isUnreadable =
    isIncomplete || (typeof body?.['resultStatus'] !== 'string' && isUnreadableResult(response));
  return { httpStatus, headers: readableHeaders(response), body, isUnreadable };
}
