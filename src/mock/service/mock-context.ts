import type { Explain, RefusedRequests } from '../state/refused-requests.js';
import type { Diagnose } from '../state/diagnosis.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import type { Script } from '../state/script.js';
import type { LenderStore } from '../state/lender-store.js';
import type { PaymentStore } from '../state/payments.js';
import type { MockDelay } from '../common/faults.js';
import type { ResolvedLenderOptions } from '../state/mock-lender-options.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { Scenario } from '../scenarios/scenario.js';
import type { RegisteredMerchant } from './merchants.js';
import type { Endpoint } from '../../protocol/endpoints.js';
import type { AnyResultStatus } from '../../protocol/result-statuses.js';
import type { IncomingRequest, ResponseData } from '../common/exchange.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { Act } from '../scenarios/network.js';
import type { Journal, OpenEntry } from '../state/journal.js';

/** All parts of one mock. Mocks share no state. */
export interface MockContext {
  /** The merchants by client ID. */
  readonly merchants: ReadonlyMap<string, RegisteredMerchant>;
  readonly payments: PaymentStore;
  readonly lenderNotifications: LenderStore;
  readonly script: Script;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  readonly lender: ResolvedLenderOptions;
  readonly wire: ResolvedWireSwitches;
  readonly refusedRequests: RefusedRequests;
  readonly diagnose: Diagnose;
  readonly uploads: 'paid' | 'any';
  /** Returns the current scenario, because a reset can change it. */
  readonly scenario: () => Scenario;
  readonly now: () => Date;
  readonly delay: MockDelay;
}

/** A body, as far as it can be read. */
export interface ReadMessage {
  readonly bytes: Buffer;
  /** The reason why the body could not be read to its end. */
  readonly problem?: string | undefined;
  /** The part of the body that the journal keeps, with the fields that identify the request. */
  readonly recorded: Partial<JournalEntry>;
}

/**
 * An operation that is served at a path, with its three steps in the order in which `dispatch` runs them. A step that
 * refuses the request throws a `Refusal`. The steps are methods, so that rows with different types of messages and
 * senders fit one table.
 */
export interface OperationRow<Message extends ReadMessage = ReadMessage, Sender = unknown> extends Pick<
  Endpoint,
  'sender' | 'method' | 'path' | 'contentType'
> {
  /** The operation in the journal: its name, or `own: true` for a custom operation. */
  readonly recorded: Pick<JournalEntry, 'operation' | 'own'>;
  /** Reads a body as far as possible. This step refuses nothing. */
  read(bytes: Buffer, request: IncomingRequest): Message;
  /** Checks who sent a request. @returns the sender */
  authenticate(message: Message, context: RequestContext): Sender | Promise<Sender>;
  /** Checks a request and, if nothing is wrong, acts on it. */
  act(message: Message, sender: Sender, context: RequestContext): OperationResult | Promise<OperationResult>;
}

/** One request. */
export interface RequestContext {
  /** The operation of the request; undefined for an unknown path. */
  readonly row: OperationRow | undefined;
  readonly request: IncomingRequest;
  readonly mock: MockContext;
  /** The journal entry of the request. After the body is read, it contains the identifying fields and the fault. */
  readonly entry: OpenEntry;
  /** A signal that fires when the mock is reset. A request from before the reset must not change the new state. */
  readonly resetSignal: AbortSignal;
  /** True once the request has waited for the injected delay. */
  hasWaited?: boolean;
}

/** The decision about a request. */
export interface OperationResult {
  readonly resultStatus?: AnyResultStatus | undefined;
  readonly resultMsg?: string | undefined;
  /** The fields that this response has in addition to the fields of every response of the operation. */
  readonly fields?: object;
  /** A stored or a scripted response, which replaces the response that is made from the result. */
  readonly response?: ResponseData;
  /** What the service did because of the request; absent if it did nothing. */
  readonly act?: Act | undefined;
  readonly replay?: boolean;
  readonly scripted?: boolean;
  /** Explains why the signature was refused. */
  readonly explain?: Explain | undefined;
}
