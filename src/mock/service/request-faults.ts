import { isMerchantOperation } from '../../protocol/endpoints.js';
import type { OpenEntry } from '../state/journal.js';
import type { InjectedFault, ScriptTarget } from '../state/script.js';
import type { Delivery, ResponseData } from '../wire/delivery.js';
import { isDelay } from '../wire/faults.js';
import { weathers } from '../worlds/weather.js';
import type { HandlerResult, MockContext, RequestIdentifiers } from './request-context.js';
import { strike } from './strike-fault.js';

/** The faults of one request: injected ones, else the weather of the world. */
export interface RequestFaults {
  /** Answers in place of the service, which then does not act. */
  readonly refusal: ResponseData | undefined;
  /** Is delivered in place of an answer, and the service does not act. */
  readonly strikeBefore: () => Delivery | undefined;
  /** Waits for as long as a delay says. */
  readonly beforeActing: () => Promise<void>;
  readonly beforeAnswer: () => Promise<void>;
  /** Is delivered in place of the answer of the service. */
  readonly strikeAfter: (result: HandlerResult, response: ResponseData) => Delivery | undefined;
}

/** The faults of a request that has just been read. */
export function faultsOf(
  entry: OpenEntry,
  operation: ScriptTarget,
  identifiers: RequestIdentifiers,
  { mock, ended }: { readonly mock: MockContext; readonly ended: AbortSignal },
): RequestFaults {
  const injected = mock.script.faults.take(operation, identifiers);
  const weather = weathers[mock.world().weather];
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
    refusal:
      !injected && weather.refusal && isFirstForReference(entry, mock)
        ? { ...weather.refusal, body: '' }
        : undefined,
    strikeBefore: () => (named && phase === 'before' ? strike(named, { operation, ended }) : undefined),
    async beforeActing() {
      if (phase === 'before') await waitOnce();
      await wait(weather.waitMs);
    },
    async beforeAnswer() {
      await waitOnce();
      await wait(weather.waitMs);
    },
    strikeAfter({ acted }, response) {
      const byWeather = acted && weather.fault?.after.includes(acted) ? weather.fault.name : undefined;
      const lost = injected ? named : byWeather;
      if (lost === undefined) return undefined;
      record(entry, { fault: lost, phase: 'after' });
      return strike(lost, { operation, ended, response });
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
