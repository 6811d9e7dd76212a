/**
 * Whether a repeated request can do harm. `'idempotent'`: it has a key by which the service may recognise it, so it is
 * repeated after every transient failure. `'once'`: it is repeated only if it certainly had no effect.
 */
export type RetryPolicy = 'idempotent' | 'once';

/**
 * The four operations of the service; their paths are below the base URL (specification: Endpoints). A payment has its
 * idempotency key, a receipt its lenderTransactionCode; for invoices and allocations no key is documented.
 */
export const endpoints = {
  initiatePayment: {
    method: 'POST',
    path: '/v2/payments',
    contentType: 'application/json',
    policy: 'idempotent',
  },
  uploadInvoice: {
    method: 'POST',
    path: '/v2/payments/upload-invoice',
    contentType: 'multipart/form-data',
    policy: 'once',
  },
  paymentReceipt: {
    method: 'POST',
    path: '/lender/open/notify/payment-receipt',
    contentType: 'application/json',
    policy: 'idempotent',
  },
  repaymentAllocation: {
    method: 'POST',
    path: '/lender/open/notify/repayment-allocation',
    contentType: 'application/json',
    policy: 'once',
  },
} as const satisfies Readonly<
  Record<string, { readonly policy: RetryPolicy; readonly [fact: string]: string }>
>;

/** The name of an operation: two of the merchant, two of the lender. */
export type Operation = keyof typeof endpoints;

/** The operations of a merchant, whose outcome is a `resultStatus`. */
export type MerchantOperation = 'initiatePayment' | 'uploadInvoice';

export const operations = Object.keys(endpoints) as [Operation, ...Operation[]];

/** True for an operation without a documented key by which the service could recognise a repeat. */
export function isKeyless(operation: string): boolean {
  return operations.some((each) => each === operation && endpoints[each].policy === 'once');
}

export function isMerchantOperation(operation: string): operation is MerchantOperation {
  return operation === 'initiatePayment' || operation === 'uploadInvoice';
}
