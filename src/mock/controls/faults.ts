import { jsonResponse, type Delivery, type ResponseData } from '../service/delivery.js';

/** The names of all faults but a delay. */
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
 * A fault of the connection or of a gateway:
 *
 * - `connection-reset`: the connection is reset without a response.
 * - `empty-response`: the connection is closed in an orderly way without a response.
 * - `hang`: no response is ever sent.
 * - `stalled-body`: status, headers and half of the body are sent, then nothing.
 * - `truncated-body`: half of the body is sent, then the connection is closed.
 * - `invalid-json`: a complete response whose JSON is cut; for a lender operation with status 500, because a 2xx
 *   status would acknowledge the notification.
 * - `html-502`: a gateway's HTML page with status 502.
 * - `{ delayMs }`: the right response, late by this many milliseconds.
 */
export type MockFault = (typeof faultNames)[number] | { readonly delayMs: number };

/** `'before'`: the service does not act. `'after'`: it acts, and its response is lost. */
export type FaultPhase = 'before' | 'after';

type NamedFault = Exclude<MockFault, object>;

export function isDelay(fault: MockFault | undefined): fault is { readonly delayMs: number } {
  return typeof fault === 'object';
}

// Stands for the response where the service did not act. It is always cut before it is JSON.
const filler = jsonResponse({ resultMsg: 'This response is never completed.' });

const gatewayPage: ResponseData = {
  httpStatus: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/** What is delivered of a response when a fault strikes. */
export function strike(
  fault: NamedFault,
  {
    operation,
    ended,
    response = filler,
  }: { readonly operation: string; readonly ended: AbortSignal; readonly response?: ResponseData },
): Delivery {
  switch (fault) {
    case 'connection-reset':
      return { kind: 'reset' };
    case 'empty-response':
      return { kind: 'empty' };
    case 'hang':
      return { kind: 'hang', ended };
    case 'stalled-body':
      return { kind: 'stalled', response, ended };
    case 'truncated-body':
      return { kind: 'truncated', response };
    case 'invalid-json': {
      const body = response.body.slice(0, Math.ceil(response.body.length / 2));
      const isNotification = operation === 'paymentReceipt' || operation === 'repaymentAllocation';
      const httpStatus = isNotification ? 500 : response.httpStatus;
      return { kind: 'response', response: { ...response, httpStatus, body } };
    }
    case 'html-502':
      return { kind: 'response', response: gatewayPage };
  }
}
