import { isMerchantOperation } from '../../protocol/endpoints.js';
import { withTimeLimit } from '../../values/time-limit.js';
import { jsonResponse, type Reply, type ResponseData } from '../common/exchange.js';
import { isDelay, type FaultPhase, type NamedFault } from '../common/faults.js';
import type { JournalEntry } from '../state/journal-types.js';
import { networks, type Act, type Network } from '../scenarios/network.js';
import type { RequestContext } from './mock-context.js';

// Far longer than two clicks are apart, on a busy machine too.
const doubleClickMs = 300;

const networkOf = ({ mock }: RequestContext): Network => networks[mock.scenario().network];

/** Records the next fault that was injected for a request, whose names are in its entry. */
export function takeFault({ entry, mock }: RequestContext): void {
  const injected = mock.script.takeFault(entry);
  if (!injected) return;
  entry.fault = injected.fault;
  entry.faultPhase = injected.phase;
}

/** The response of a gateway that refuses the request: the service never sees it. */
export function gatewayRefusal(context: RequestContext): ResponseData | undefined {
  const { refusal } = networkOf(context);
  if (context.entry.fault || !refusal || firstForReference(context) !== context.entry) return undefined;
  return { ...refusal(context.request), body: '' };
}

/** The first request of a merchant for the reference of this one, as far as the journal reaches. */
function firstForReference({ entry, mock }: RequestContext): JournalEntry | undefined {
  const { operation, merchantId, referenceId } = entry;
  if (!operation || !isMerchantOperation(operation) || referenceId === undefined) return undefined;
  return mock.journal.find((each) => each.referenceId === referenceId && each.merchantId === merchantId);
}

/** The reply in place of the service's, which does not act. */
export function faultBeforeService(context: RequestContext): Reply | undefined {
  const { fault, faultPhase } = context.entry;
  if (fault === undefined || isDelay(fault) || faultPhase === 'after') return undefined;
  return faultyReply(fault, context);
}

/**
 * Waits, as the network of the scenario and an injected delay ask for. It is called right before the service acts, and
 * again before its response. An injected delay is waited for once, in its own phase; a request that is refused never comes
 * to the first call, so all of it is waited for in the second.
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
 * Keeps the response to a payment that was created until its sender has gone, in a scenario where the service hangs; and
 * the first one for each reference for a moment in a scenario where customers click twice, so that the second click comes
 * before it.
 */
export async function holdResponse(context: RequestContext, act: Act | undefined): Promise<void> {
  const { mock, request, resetSignal } = context;
  const isDouble =
    mock.scenario().customer === 'clicks-twice' && firstForReference(context) === context.entry;
  const { hangMs = 0 } = networkOf(context);
  const holdMs = Math.max(act === 'payment' ? hangMs : 0, isDouble ? doubleClickMs : 0);
  if (holdMs === 0) return;
  await withTimeLimit(Infinity, [resetSignal, request.gone()], (signal) => mock.delay(holdMs, signal));
  resetSignal.throwIfAborted();
}

/** The fault of the network for the response of the service. */
function networkFault(context: RequestContext, act: Act | undefined): NamedFault | undefined {
  const { fault, outageMs = 0 } = networkOf(context);
  if (act && fault?.after.includes(act)) return fault.name;
  const first = outageMs > 0 ? firstForReference(context) : undefined;
  const isOutage = first && context.entry.at.getTime() - first.at.getTime() < outageMs;
  return isOutage ? 'connection-reset' : undefined;
}

/** The reply in place of the response of the service, which has decided. */
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

// A placeholder for the response if the service did not act. It is always cut before it is JSON.
const filler = jsonResponse({ resultMsg: 'This response is never completed.' });

const gatewayPage: ResponseData = {
  httpStatus: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/** The reply of a response under a fault. An adapter carries out those that it knows by the same name. */
function faultyReply(
  fault: NamedFault,
  { row, entry, resetSignal }: RequestContext,
  response: ResponseData = filler,
): Reply {
  entry.answer = 'lost';
  switch (fault) {
    case 'invalid-json': {
      const body = response.body.slice(0, Math.ceil(response.body.length / 2));
      // A 2xx status would acknowledge a notification of a lender.
      const httpStatus = row?.sender === 'lender' ? 500 : response.httpStatus;
      return { kind: 'response', response: { ...response, httpStatus, body } };
    }
    case 'html-502':
      return { kind: 'response', response: gatewayPage };
    default:
      return { kind: fault, response, resetSignal };
  }
}
