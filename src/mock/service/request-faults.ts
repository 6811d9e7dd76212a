import { isMerchantOperation } from '../../protocol/endpoints.js';
import type { OpenEntry } from '../state/journal.js';
import type { InjectedFault } from '../state/script.js';
import { jsonResponse, type Reply, type ResponseData } from '../common/exchange.js';
import { isDelay, type NamedFault } from '../common/faults.js';
import { networks, type Act, type Network } from '../worlds/network.js';
import type { ArrivedRequest, MockContext } from './mock-context.js';

/** The faults of one request on its way: one that a test injected, else what the network of the world does. */
export class RequestFaults {
  readonly #arrived: ArrivedRequest;
  readonly #injected: InjectedFault | undefined;
  readonly #network: Network;
  /** Of a delay that has not been waited for. */
  #delayMs: number | undefined;

  /** Takes the next fault that was injected for the request, whose names are in its entry. */
  constructor(arrived: ArrivedRequest) {
    const { mock, operation, entry } = arrived;
    this.#arrived = arrived;
    this.#network = networks[mock.world().network];
    this.#injected = mock.script.faults.take(operation, entry);
    if (!this.#injected) return;
    const { fault } = this.#injected;
    if (isDelay(fault)) this.#delayMs = fault.delayMs;
    record(entry, this.#injected);
  }

  /** The response of a gateway that refuses the request: the service never sees it. */
  refusal(): ResponseData | undefined {
    const { refusal } = this.#network;
    const { entry, mock } = this.#arrived;
    if (this.#injected || !refusal || !isFirstForReference(entry, mock)) return undefined;
    return { ...refusal, body: '' };
  }

  /** The reply in place of the service's, which does not act. */
  beforeService(): Reply | undefined {
    const { fault, phase } = this.#injected ?? {};
    if (fault === undefined || isDelay(fault) || phase === 'after') return undefined;
    return faultyReply(fault, this.#arrived);
  }

  /** Every operation waits for this right before it acts. */
  async delayBeforeActing(): Promise<void> {
    if (this.#injected?.phase !== 'after') await this.#waitForFault();
    await this.#wait(this.#network.waitMs);
  }

  async delayBeforeResponse(): Promise<void> {
    // A request that was refused has not waited yet.
    await this.#waitForFault();
    await this.#wait(this.#network.waitMs);
  }

  /** The reply in place of the response of the service, which has decided. */
  afterService(acted: Act | undefined, response: ResponseData): Reply | undefined {
    const { fault: lostByNetwork } = this.#network;
    const { fault = acted && lostByNetwork?.after.includes(acted) ? lostByNetwork.name : undefined } =
      this.#injected ?? {};
    if (fault === undefined || isDelay(fault)) return undefined;
    record(this.#arrived.entry, { fault, phase: 'after' });
    return faultyReply(fault, this.#arrived, response);
  }

  async #waitForFault(): Promise<void> {
    const delayMs = this.#delayMs;
    this.#delayMs = undefined;
    await this.#wait(delayMs);
  }

  async #wait(milliseconds: number | undefined): Promise<void> {
    if (milliseconds === undefined) return;
    const { mock, ended } = this.#arrived;
    await mock.delay(milliseconds, ended);
    ended.throwIfAborted();
  }
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

/** The reply of a response under a fault. */
function faultyReply(
  fault: NamedFault,
  { operation, ended }: ArrivedRequest,
  response: ResponseData = filler,
): Reply {
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
