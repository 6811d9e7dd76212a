import type { Answer, Delivery } from '../service/delivery.js';
import { jsonHeaders } from '../service/delivery.js';

/** The faults that have a name. */
export const faultNames = [
  'connection-reset',
  'empty-response',
  'hang',
  'stalled-body',
  'truncated-body',
  'invalid-json',
  'html-502',
] as const;

/**
 * What goes wrong on the way:
 *
 * - `connection-reset`: the connection is reset without an answer.
 * - `empty-response`: the connection is closed in an orderly way without an answer.
 * - `hang`: nothing comes, ever.
 * - `stalled-body`: status, headers and half of the body come, then nothing.
 * - `truncated-body`: half of the body comes, then the connection is closed.
 * - `invalid-json`: a complete answer whose JSON is cut.
 * - `html-502`: a gateway's HTML page with status 502.
 * - `{ delayMs }`: everything is in order, but late by so many milliseconds.
 */
export type MockFault = (typeof faultNames)[number] | { readonly delayMs: number };

/** `'before'`: the service did not act. `'after'`: it acted, and its answer was lost. */
export type FaultPhase = 'before' | 'after';

/** A fault that is not just lateness. */
export type NamedFault = Exclude<MockFault, object>;

export function isDelay(fault: MockFault): fault is { readonly delayMs: number } {
  return typeof fault === 'object';
}

// Where the service did not act there is no answer to cut; this one says nothing and is cut before it is JSON.
const filler: Answer = {
  httpStatus: 200,
  headers: jsonHeaders,
  body: JSON.stringify({ resultMsg: 'This answer is never completed.' }),
};

const gatewayPage: Answer = {
  httpStatus: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/** An answer whose JSON ends midway, though the response itself is complete. */
function withCutJson(answer: Answer): Answer {
  const { body } = answer;
  return { ...answer, body: body.slice(0, Math.ceil(body.length / 2)) };
}

/** What a fault leaves of an answer. */
export function strike(fault: NamedFault, ended: AbortSignal, answer: Answer = filler): Delivery {
  switch (fault) {
    case 'connection-reset':
      return { kind: 'reset' };
    case 'empty-response':
      return { kind: 'empty' };
    case 'hang':
      return { kind: 'hang', ended };
    case 'stalled-body':
      return { kind: 'stalled', answer, ended };
    case 'truncated-body':
      return { kind: 'truncated', answer };
    case 'invalid-json':
      return { kind: 'answer', answer: withCutJson(answer) };
    case 'html-502':
      return { kind: 'answer', answer: gatewayPage };
  }
}
