import type { Operation } from '../../protocol/endpoints.js';
import type { AnyResultStatus } from '../../protocol/result-statuses.js';
import type { Diagnosis } from './diagnosis.js';
import type { FaultPhase, MockFault } from '../common/faults.js';

/** A file of a request, without its bytes. */
export interface JournalFile {
  /** Name of the form field. */
  readonly field: string;
  /** Name of the file, as declared by the sender. */
  readonly name: string;
  /** As declared by the sender. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A response as the journal keeps it. */
export interface JournalResponse {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As text, cut at 16 KiB. */
  readonly body: string;
  /** Size of the body in bytes. */
  readonly bodyBytes: number;
}

/**
 * One request that reached the mock. It holds customer data, but no secret, and no signature except in the diagnosis
 * of a refused one.
 */
export interface JournalEntry {
  /** 1 for the first request since the mock was made or reset. */
  readonly id: number;
  /** When it arrived, by the mock's clock. */
  readonly at: Date;
  /** Absent for an operation of your own and for an unknown path. */
  readonly operation?: Operation;
  /** Present for an operation that `handle` registered. */
  readonly own?: true;
  /** HTTP method. */
  readonly method: string;
  /** Path of the URL, without the query. */
  readonly path: string;
  /** An allow-list of headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent by a merchant. */
  readonly merchantId?: string;
  /** As sent by a merchant. */
  readonly referenceId?: string;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey?: string;
  /** As sent with a receipt. */
  readonly lenderTransactionCode?: string;
  /** As sent by a lender. */
  readonly requestId?: string;
  /** The contract that a lender's notification is about. */
  readonly contractNumber?: string;
  /** Of a receipt, as sent. */
  readonly receivedStatus?: string;
  /** In VND: of a payment, of a receipt, or the sum of an allocation, as sent. */
  readonly amount?: number;
  /** The body of a JSON request as text, cut at 16 KiB. */
  readonly body?: string;
  /** SHA-256 of the whole body where `body` is cut, lower-case hex. */
  readonly bodySha256?: string;
  /** The textual fields of a multipart request, cut at 16 KiB together. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The files of a multipart request. */
  readonly files?: readonly JournalFile[];
  /** Fields of a merchant's request that the mock does not know, such as `items[].sku`: at most 20. They are taken. */
  readonly unknownFields?: readonly string[];
  /** Oddities of a request that the mock accepts, a sentence each: the merchant hardly means them. */
  readonly warnings?: readonly string[];
  /** Size of the body in bytes, once it has been read. */
  readonly bodyBytes?: number;
  /** The status of the response. */
  readonly resultStatus?: AnyResultStatus;
  /** The message of the response. */
  readonly resultMsg?: string;
  /** HTTP status of the response; absent when a fault came before the service acted. */
  readonly httpStatus?: number;
  /** The response of the service. A fault with `faultPhase: 'after'` kept the whole or a part of it from the sender. */
  readonly response?: JournalResponse;
  /** True when the service created a payment, stored an invoice or recorded a notification because of this request. */
  readonly acted: boolean;
  /**
   * What became of the response: `'sent'` whole, though the connection may have died meanwhile; `'lost'`, as a whole or in
   * part, by a fault; `'abandoned'`, because the sender had gone away before it. Absent until the response is due.
   */
  readonly answer?: 'sent' | 'lost' | 'abandoned';
  /** True when the response is the stored one of an earlier request with the same key. */
  readonly replay: boolean;
  /** True when the response came from `respondWith` or a `trigger:` reference. */
  readonly scripted: boolean;
  /** The fault of the request: injected, or of the scenario's network. */
  readonly fault?: MockFault;
  /** Whether the fault came before or after the service acted. */
  readonly faultPhase?: FaultPhase;
  /** Present when the signature was refused: `diagnosis` explains it. */
  readonly hasDiagnosis?: true;
  /**
   * Why the signature was refused. The explanation is made when this is read for the first time, which takes up to about
   * 0.1 s; it is not enumerable, so JSON, spread, `structuredClone` and inspection of an entry leave it out.
   */
  readonly diagnosis?: Diagnosis;
  /** A failure inside the mock, or that the sender closed the connection. */
  readonly error?: string;
  /** When the service had decided, by the mock's clock. */
  readonly completedAt?: Date;
  /** Milliseconds until the response. */
  readonly durationMs?: number;
  /** True once the service has decided, even where a fault still keeps the connection open. */
  readonly completed: boolean;
}

/** Fields that an entry must have, compared deeply, or a predicate. */
export type JournalMatch = PartialDeep<JournalEntry> | ((entry: JournalEntry) => boolean);

type PartialDeep<T> = T extends Date
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: PartialDeep<T[Key]> }
    : T;

/** Every request that reached the mock, oldest first. */
export interface MockJournal {
  /** All entries that are kept. */
  all(): readonly JournalEntry[];
  /** The entry with an ID. */
  get(id: number): JournalEntry | undefined;
  /** The first entry that matches. */
  find(match: JournalMatch): JournalEntry | undefined;
  /** The entries that match. */
  filter(match: JournalMatch): readonly JournalEntry[];
  /**
   * The first entry that matches, as soon as there is one. An object matches completed requests only, unless it has
   * `completed: false`; a predicate is called when an entry arrives and whenever it changes.
   *
   * @param options - `timeoutMs`: the longest wait in milliseconds. Default 2000.
   * @throws Error that lists the requests that arrived, on a timeout or when the mock is reset.
   */
  waitFor(match: JournalMatch, options?: { readonly timeoutMs?: number | undefined }): Promise<JournalEntry>;
}
