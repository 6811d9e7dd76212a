import { jsonResponse, type Delivery, type ResponseData } from '../wire/delivery.js';
import type { NamedFault } from '../wire/faults.js';

// A placeholder for the response if the service did not act. It is always cut before it is JSON.
const filler = jsonResponse({ resultMsg: 'This response is never completed.' });

const gatewayPage: ResponseData = {
  httpStatus: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/** The delivery of a response under a fault. */
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
