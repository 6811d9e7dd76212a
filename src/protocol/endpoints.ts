/** The four operations of the service; their paths are below the base URL (specification: Endpoints). */
export const endpoints = {
  initiatePayment: { method: 'POST', path: '/v2/payments', contentType: 'application/json' },
  uploadInvoice: { method: 'POST', path: '/v2/payments/upload-invoice', contentType: 'multipart/form-data' },
  paymentReceipt: {
    method: 'POST',
    path: '/lender/open/notify/payment-receipt',
    contentType: 'application/json',
  },
  repaymentAllocation: {
    method: 'POST',
    path: '/lender/open/notify/repayment-allocation',
    contentType: 'application/json',
  },
} as const;

/** The name of an operation: two of the merchant, two of the lender. */
export type Operation = keyof typeof endpoints;

/** The operations of a merchant, whose outcome is a `resultStatus`. */
export type MerchantOperation = 'initiatePayment' | 'uploadInvoice';

export const operations = Object.keys(endpoints) as [Operation, ...Operation[]];

export function isMerchantOperation(operation: string): operation is MerchantOperation {
  return operation === 'initiatePayment' || operation === 'uploadInvoice';
}
