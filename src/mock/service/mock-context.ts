import type { Explain, RefusedRequests } from '../state/refused-requests.js';
import type { Diagnose } from '../state/diagnosis.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import type { Script } from '../state/script.js';
import type { LenderStore } from '../state/lender-store.js';
import type { PaymentStore } from '../state/payments.js';
import type { MockDelay } from '../common/faults.js';
import type { ResolvedLenderOptions } from '../state/lender-options.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { Scenario } from '../scenarios/dimensions.js';
import type { RegisteredMerchant } from './merchants.js';
import type { Endpoint } from '../../protocol/endpoints.js';
import type { AnyResultStatus } from '../../protocol/result-statuses.js';
import type { IncomingRequest, ResponseData } from '../common/exchange.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { Act } from '../scenarios/network.js';
import type { Journal, OpenEntry } from '../state/journal.js';

/** Everything that one mock consists of. Mocks share nothing with each other. */
export interface MockContext {
  /** By client ID. */
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
  /** As it is now: a reset may change it. */
  readonly scenario: () => Scenario;
  readonly now: () => Date;
  readonly delay: MockDelay;
}

/** A body, as far as it could be read. */
export interface ReadMessage {
  readonly bytes: Buffer;
  /** Why it could not be read to its end. */
  readonly problem?: string | undefined;
  /** The part of it that the journal keeps, with the names by which the request is known. */
  readonly recorded: Partial<JournalEntry>;
}

/**
 * An operation that is served at a path, with its three steps in the order in which `dispatch` takes them. A step that
 * refuses the request throws a `Refusal`. They are methods, so that rows with messages and senders of different types
 * fit one table.
 */
export interface OperationRow<Message extends ReadMessage = ReadMessage, Sender = unknown> extends Pick<
  Endpoint,
  'sender' | 'method' | 'path' | 'contentType'
> {
  /** How the journal names it: the operation, or one that `handle` registered. */
  readonly recorded: Pick<JournalEntry, 'operation' | 'own'>;
  /** Reads a body, as far as it can be read. It refuses nothing. */
  read(bytes: Buffer, request: IncomingRequest): Message;
  /** Checks who sent a request. @returns the sender */
  authenticate(message: Message, context: RequestContext): Sender | Promise<Sender>;
  /** Checks a request and, if nothing is wrong, acts on it. */
  act(message: Message, sender: Sender, context: RequestContext): OperationResult | Promise<OperationResult>;
}

/** One request. */
export interface RequestContext {
  /** Its operation; undefined for an unknown path. */
  readonly row: OperationRow | undefined;
  readonly request: IncomingRequest;
  readonly mock: MockContext;
  /** Its entry in the journal. It has the names and the fault of the request once the body was read. */
  readonly entry: OpenEntry;
  /** Fires when the mock is reset; a request from before a reset must not change the state after it. */
  readonly resetSignal: AbortSignal;
  /** True once the request has waited for the delay that was injected. */
  hasWaited?: boolean;
}

/** The decision about a request. */
export interface OperationResult {
  readonly resultStatus?: AnyResultStatus | undefined;
  readonly resultMsg?: string | undefined;
  /** Fields of the response besides those that every response of the operation has. */
  readonly fields?: object;
  /** The response, where it is not made from the result: a stored or a scripted one. */
  readonly response?: ResponseData;
  /** What the service did because of the request; absent where it did nothing. */
  readonly act?: Act | undefined;
  readonly replay?: boolean;
  readonly scripted?: boolean;
  /** Why the signature was refused. */
  readonly explain?: Explain | undefined;
}
