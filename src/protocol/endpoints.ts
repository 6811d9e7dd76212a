/**
 * When a request is retried: after every transient failure (`'idempotent'`), or only after a transient failure whose
 * outcome is not `'unknown'` (`'once'`).
 */
export type RetryPolicy = 'idempotent' | 'once';

/** The facts of an operation from which client, mock and openapi.json derive how its request is sent. */
export interface Endpoint {
  readonly sender: 'merchant' | 'lender';
  readonly method: 'GET' | 'POST';
  /** The path below the base URL. */
  readonly path: string;
  /** The media type of the body; absent if there is no body. */
  readonly contentType?: 'application/json' | 'multipart/form-data';
  readonly policy: RetryPolicy;
}

/**
 * The four operations of the service (specification: Endpoints). The service could recognise a repeated payment request
 * by its idempotency key, and a repeated receipt by its lenderTransactionCode; whether the service does so is not
 * documented. An invoice or an allocation has no such key.
 */
export const endpoints = {
  initiatePayment: {
    sender: 'merchant',
    method: 'POST',
    path: '/v2/payments',
    contentType: 'application/json',
    policy: 'idempotent',
  },
  uploadInvoice: {
    sender: 'merchant',
    method: 'POST',
    path: '/v2/payments/upload-invoice',
    contentType: 'multipart/form-data',
    policy: 'once',
  },
  paymentReceipt: {
    sender: 'lender',
    method: 'POST',
    path: '/lender/open/notify/payment-receipt',
    contentType: 'application/json',
    policy: 'idempotent',
  },
  repaymentAllocation: {
    sender: 'lender',
    method: 'POST',
    path: '/lender/open/notify/repayment-allocation',
    contentType: 'application/json',
    policy: 'once',
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** The name of an operation: two of the merchant, two of the lender. */
export type Operation = keyof typeof endpoints;

/** The operations of a merchant, whose responses contain a `resultStatus`. */
export type MerchantOperation = {
  [Name in Operation]: (typeof endpoints)[Name]['sender'] extends 'merchant' ? Name : never;
}[Operation];

export const operations = Object.keys(endpoints) as [Operation, ...Operation[]];

const byName: ReadonlyMap<string, Endpoint> = new Map(Object.entries(endpoints));

/** True if the operation has no documented key with which the service could recognise a repeat. */
export function isKeyless(operation: string): boolean {
  return byName.get(operation)?.policy === 'once';
}

export function isMerchantOperation(operation: string): operation is MerchantOperation {
  return byName.get(operation)?.sender === 'merchant';
}
