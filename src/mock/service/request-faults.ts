import { isMerchantOperation } from '../../protocol/endpoints.js';
import { withTimeLimit } from '../../values/time-limit.js';
import { jsonResponse, type Reply, type ResponseData } from '../common/exchange.js';
import { isDelay, type FaultPhase, type NamedFault } from '../common/faults.js';
import type { JournalEntry } from '../state/journal-types.js';
import { networks, type Act, type Network } from '../scenarios/network.js';
import type { RequestContext } from './mock-context.js';

// This is far longer than the time between two clicks, even on a busy machine.
const doubleClickMs = 300;

const networkOf = ({ mock }: RequestContext): Network => networks[mock.scenario().network];

/**
 * Records the next injected fault that applies to a request. The journal entry must already contain the fields that
 * identify the request.
 */
export function takeFault({ entry, mock }: RequestContext): void {
  const injected = mock.script.takeFault(entry);
  if (!injected) return;
  entry.fault = injected.fault;
  entry.faultPhase = injected.phase;
}

/**
 * The response of a gateway, if the scenario has a gateway that responds to the first request for each `referenceId`.
 * The service then never receives the request.
 */
export function responseBeforeService(context: RequestContext): ResponseData | undefined {
  const { responseBeforeService: respond } = networkOf(context);
  if (context.entry.fault || !respond || firstForReference(context) !== context.entry) return undefined;
  return { ...respond(context.request), body: '' };
}

/** The merchant's first request for the same `referenceId`, if the journal contains it. */
function firstForReference({ entry, mock }: RequestContext): JournalEntry | undefined {
  const { operation, merchantId, referenceId } = entry;
  if (!operation || !isMerchantOperation(operation) || referenceId === undefined) return undefined;
  return mock.journal.find((each) => each.referenceId === referenceId && each.merchantId === merchantId);
}

/** The reply of an injected fault, if the fault comes before the service acts. The service then does not act. */
export function faultBeforeService(context: RequestContext): Reply | undefined {
  const { fault, faultPhase } = context.entry;
  if (fault === undefined || isDelay(fault) || faultPhase === 'after') return undefined;
  return faultyReply(fault, context);
}

/**
 * Waits as long as the scenario's network and an injected delay require. This function is called right before the
 * service acts, and again before the response. An injected delay applies to one of these two calls: the call of its
 * phase. If the request is refused before the first call, the delay applies to the second call.
 */
export async function waitForNetwork(context: RequestContext, phase: FaultPhase): Promise<void> {
  const { fault, faultPhase } = context.entry;
  const isDue = !context.hasWaited && (phase === faultPhase || phase === 'after');
  if (isDelay(fault) && isDue) {
    context.hasWaited = true;
    await wait(fault.delayMs, context);
  }
  const { waitMs } = networkOf(context);
  if (waitMs !== undefined) await wait(waitMs, context);
}

async function wait(milliseconds: number, { mock, resetSignal }: RequestContext): Promise<void> {
  await mock.delay(milliseconds, resetSignal);
  resetSignal.throwIfAborted();
}

/**
 * Holds back a response in two scenarios. With `network: 'hang'`, the response to a request that has created a payment
 * waits for `holdResponseMs`, or until the sender has closed the connection. With `customer: 'clicks-twice'`, the first
 * response for each `referenceId` waits for a moment, so that the second click comes before the response.
 */
export async function holdResponse(context: RequestContext, act: Act | undefined): Promise<void> {
  const { mock, request, resetSignal } = context;
  const isDoubleClick =
    mock.scenario().customer === 'clicks-twice' && firstForReference(context) === context.entry;
  const { holdResponseMs = 0 } = networkOf(context);
  const holdMs = Math.max(act === 'payment' ? holdResponseMs : 0, isDoubleClick ? doubleClickMs : 0);
  if (holdMs === 0) return;
  await withTimeLimit(Infinity, [resetSignal, request.gone()], (signal) => mock.delay(holdMs, signal));
  resetSignal.throwIfAborted();
}

/** The fault with which the scenario's network loses the service's response, if there is such a fault. */
function networkFault(context: RequestContext, act: Act | undefined): NamedFault | undefined {
  const { fault, outageMs = 0 } = networkOf(context);
  if (act && fault?.after.includes(act)) return fault.name;
  const first = outageMs > 0 ? firstForReference(context) : undefined;
  const isOutage = first && context.entry.at.getTime() - first.at.getTime() < outageMs;
  return isOutage ? 'connection-reset' : undefined;
}

/** The reply of a fault that comes after the service has decided. The reply replaces the service's response. */
export function faultAfterService(
  context: RequestContext,
  act: Act | undefined,
  response: ResponseData,
): Reply | undefined {
  const { entry } = context;
  const { fault = networkFault(context, act) } = entry;
  if (fault === undefined || isDelay(fault)) return undefined;
  entry.fault = fault;
  entry.faultPhase = 'after';
  return faultyReply(fault, context, response);
}

// The response that a fault cuts if the service did not act. The sender receives only the first half of this response.
const filler = jsonResponse({
  resultMsg: 'The mock cuts this response on purpose, because a fault was injected for this request.',
});

const gatewayPage: ResponseData = {
  httpStatus: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/**
 * Makes the reply for a fault. Invalid JSON and the page of a gateway are ordinary responses. An adapter carries out
 * each of the other faults, as a reply of the same name.
 */
function faultyReply(
  fault: NamedFault,
  { row, entry, resetSignal }: RequestContext,
  response: ResponseData = filler,
): Reply {
  entry.answer = 'lost';
  switch (fault) {
    case 'invalid-json': {
      const body = response.body.slice(0, Math.ceil(response.body.length / 2));
      // A 2xx status would acknowledge a lender's notification.
      const httpStatus = row?.sender === 'lender' ? 500 : response.httpStatus;
      return { kind: 'response', response: { ...response, httpStatus, body } };
    }
    case 'html-502':
      return { kind: 'response', response: gatewayPage };
    default:
      return { kind: fault, response, resetSignal };
  }
}
