import type { Explain, RefusedRequests } from '../diagnosis/refused-requests.js';
import type { AnyResultStatus } from '../../protocol/result-statuses.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import type { Script, ScriptTarget } from '../state/script.js';
import type { InvoiceStore } from '../state/invoices.js';
import type { Journal } from '../state/journal.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { LenderStore } from '../state/lender-store.js';
import type { Announced } from '../state/payment-record.js';
import type { PaymentStore } from '../state/payments.js';
import type { MockDelay } from '../common/delay.js';
import type { World } from '../worlds/dimensions.js';
import type { Act } from '../worlds/network.js';
import type { maxBodyBytes, IncomingRequest, ResponseData } from '../common/delivery.js';
import type { RegisteredMerchant } from './merchants.js';

/** How the lender's side of a deployment differs from the specification, which leaves both open. */
export interface MockLenderOptions {
  /** Name of the masked field on the wire. @default 'serviceApplicationId' */
  readonly applicationIdField?: string | undefined;
  /**
   * Returns whether a notification comes from the lender, by whatever authentication was agreed. It can read the body.
   * @default every notification is accepted
   */
  readonly authenticate?: ((request: Request) => boolean | Promise<boolean>) | undefined;
}

/** Everything that one mock consists of. Mocks share nothing with each other. */
export interface MockContext {
  /** By client ID. */
  readonly merchants: ReadonlyMap<string, RegisteredMerchant>;
  readonly payments: PaymentStore;
  readonly invoices: InvoiceStore;
  readonly notifications: LenderStore;
  readonly script: Script;
  readonly journal: Journal;
  readonly lender: MockLenderOptions;
  readonly wire: ResolvedWireSwitches;
  /** For the diagnosis of wrong signatures. */
  readonly refusedRequests: RefusedRequests;
  /** The operations of the test's own, by path. */
  readonly ownOperations: ReadonlyMap<string, ServedOperation>;
  readonly uploadsOf: 'paid' | 'any';
  /** As it is now: a reset may change it. */
  readonly world: () => World;
  readonly announced: Announced;
  readonly now: () => Date;
  readonly delay: MockDelay;
}

/** An operation that is served at a path. */
export interface ServedOperation {
  readonly operation: ScriptTarget;
  readonly method: string;
  readonly contentType: keyof typeof maxBodyBytes;
  readonly handler: Handler;
}

/** The names by which a request is known, as far as its body could be read. */
export type RequestIdentifiers = Readonly<Partial<Record<IdentifierName, string | undefined>>>;

type IdentifierName = 'merchantId' | 'referenceId' | 'idempotencyKey' | 'lenderTransactionCode' | 'requestId';

/** One request while a handler works on it. */
export interface RequestContext {
  readonly operation: ScriptTarget;
  readonly request: IncomingRequest;
  readonly identifiers: RequestIdentifiers;
  readonly mock: MockContext;
  /** Fires when the mock is reset; a request from before a reset must not change the state after it. */
  readonly ended: AbortSignal;
  /** Waits if the request is to be delayed before the service acts. A handler calls it right before it acts. */
  readonly beforeActing: () => Promise<void>;
}

/** The decision of a handler. */
export interface HandlerResult {
  readonly resultStatus?: AnyResultStatus | undefined;
  readonly resultMsg?: string | undefined;
  /** Fields of the response besides those that every response of the operation has. */
  readonly fields?: object;
  /** The response, where it is not made from the result: a stored or a scripted one. */
  readonly response?: ResponseData;
  /** The change that the request made; absent where it made none. */
  readonly acted?: Act | undefined;
  readonly replay?: boolean;
  readonly scripted?: boolean;
  /** Why the signature was refused. */
  readonly explain?: Explain | undefined;
}

/** The refusal of a request; undefined if it passes the check. */
export type CheckResult = HandlerResult | undefined;

/** A request whose body has been read. */
export interface ReadRequest {
  readonly identifiers: RequestIdentifiers;
  /** The part of the body that the journal keeps. */
  readonly recorded: Pick<
    JournalEntry,
    'bodyBytes' | 'body' | 'bodySha256' | 'fields' | 'files' | 'contractNumber' | 'receivedStatus' | 'amount'
  >;
  handle(context: RequestContext): Promise<HandlerResult>;
}

/** Reads the body of an operation's request, as far as it can be read. */
export type Handler = (bytes: Buffer, request: IncomingRequest) => ReadRequest;
