import { isMerchantOperation } from '../../protocol/endpoints.js';
import type { OpenEntry } from '../state/journal.js';
import type { InjectedFault, ScriptTarget } from '../state/script.js';
import { jsonResponse, type Delivery, type ResponseData } from '../common/delivery.js';
import { isDelay, type NamedFault } from '../common/faults.js';
import { networks } from '../worlds/network.js';
import type { HandlerResult, MockContext, RequestIdentifiers } from './request-context.js';

/** The faults of a request that has just been read: injected ones, else those of the world's network. */
export function faultsOf(
  entry: OpenEntry,
  operation: ScriptTarget,
  identifiers: RequestIdentifiers,
  { mock, ended }: { readonly mock: MockContext; readonly ended: AbortSignal },
) {
  const injected = mock.script.faults.take(operation, identifiers);
  const network = networks[mock.world().network];
  if (injected) record(entry, injected);
  const { fault, phase } = injected ?? {};
  const named = isDelay(fault) ? undefined : fault;
  let delayMs = isDelay(fault) ? fault.delayMs : undefined;

  const wait = async (milliseconds: number | undefined) => {
    if (milliseconds === undefined) return;
    await mock.delay(milliseconds, ended);
    ended.throwIfAborted();
  };
  /** Waits for as long as a delay fault says: the first time it is called. */
  const waitOnce = () => {
    const left = delayMs;
    delayMs = undefined;
    return wait(left);
  };

  return {
    /** Answers in place of the service, which then does not act. */
    refusal:
      !injected && network.refusal && isFirstForReference(entry, mock)
        ? { ...network.refusal, body: '' }
        : undefined,
    /** Is delivered in place of an answer, and the service does not act. */
    strikeBefore: () => (named && phase === 'before' ? strike(named, operation, ended) : undefined),
    beforeActing: async () => {
      if (phase === 'before') await waitOnce();
      await wait(network.waitMs);
    },
    beforeAnswer: async () => {
      await waitOnce();
      await wait(network.waitMs);
    },
    /** Is delivered in place of the answer of the service. */
    strikeAfter({ acted }: HandlerResult, response: ResponseData): Delivery | undefined {
      const byNetwork = acted && network.fault?.after.includes(acted) ? network.fault.name : undefined;
      const lost = injected ? named : byNetwork;
      if (lost === undefined) return undefined;
      record(entry, { fault: lost, phase: 'after' });
      return strike(lost, operation, ended, response);
    },
  };
}

function record(entry: OpenEntry, { fault, phase }: InjectedFault): void {
  Object.assign(entry, { fault, faultPhase: phase, ...(!isDelay(fault) && { answer: 'lost' }) });
}

/** True for the first request of a merchant for its reference, as far as the journal reaches. */
function isFirstForReference(
  { id, operation, merchantId, referenceId }: OpenEntry,
  { journal }: MockContext,
) {
  if (!operation || !isMerchantOperation(operation) || referenceId === undefined) return false;
  const first = journal.find((entry) => entry.referenceId === referenceId && entry.merchantId === merchantId);
  return first?.id === id;
}

// A placeholder for the response if the service did not act. It is always cut before it is JSON.
const filler = jsonResponse({ resultMsg: 'This response is never completed.' });

const gatewayPage: ResponseData = {
  httpStatus: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/** The delivery of a response under a fault. */
function strike(
  fault: NamedFault,
  operation: ScriptTarget,
  ended: AbortSignal,
  response: ResponseData = filler,
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
