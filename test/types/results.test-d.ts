import { describe, expectTypeOf, test } from 'vitest';
import {
  ConfigurationError,
  DuplicateReferenceIdError,
  isInstallmentError,
  ResultError,
  UnknownResultError,
  ValidationError,
  type AnyInstallmentError,
  type Attempt,
  type InstallmentClient,
  type InvoiceResult,
  type PaymentResult,
  type ResultStatus,
  type ValidationIssue,
} from '../../src/entries/index.js';
import type { OrderPaymentsOptions, OrderView } from '../../src/entries/orders.js';
import type { Acknowledgement, LenderClient } from '../../src/entries/lender.js';
import type { AnyResultStatus, ErrorStatus, FailureOutcome } from '../../src/protocol/result-statuses.js';
import type { ResultMetadata } from '../../src/errors/call-metadata.js';

describe('results', () => {
  test('a payment has its URL and its approval for certain, and nothing else', () => {
    expectTypeOf<PaymentResult['merchantId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<PaymentResult['referenceId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<PaymentResult['responseTime']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<PaymentResult['resultMsg']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<PaymentResult['qrData']>().toEqualTypeOf<string | undefined>();
  });

  test('a payment has its URL for certain; an invoice promises nothing but approval', () => {
    expectTypeOf<Awaited<ReturnType<InstallmentClient['initiatePayment']>>>().toEqualTypeOf<PaymentResult>();
    expectTypeOf<PaymentResult['paymentUrl']>().toEqualTypeOf<string>();
    expectTypeOf<PaymentResult['resultStatus']>().toEqualTypeOf<'APPROVED'>();
    expectTypeOf<InvoiceResult['invoiceId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<InvoiceResult['resultStatus']>().toEqualTypeOf<'APPROVED'>();
  });

  test('a misspelled field and one of another result do not compile; an undocumented one is read behind a cast', () => {
    const payment = {} as PaymentResult;
    // @ts-expect-error misspelled
    expectTypeOf(payment.paymentURL).toBeAny();
    // @ts-expect-error a field of an invoice
    expectTypeOf(payment.invoiceId).toBeAny();
    // @ts-expect-error misspelled
    expectTypeOf(({} as InvoiceResult).invoiceID).toBeAny();
    expectTypeOf((payment as PaymentResult & { voucher?: string }).voucher).toEqualTypeOf<
      string | undefined
    >();
  });

  test('the metadata has the HTTP status and every attempt', () => {
    expectTypeOf<PaymentResult['$metadata']>().toEqualTypeOf<ResultMetadata>();
    expectTypeOf<ResultMetadata['httpStatus']>().toEqualTypeOf<number>();
    expectTypeOf<ResultMetadata['attempts']>().toEqualTypeOf<readonly Attempt[]>();
  });

  test('an acknowledgement has the body as it came', () => {
    expectTypeOf<
      Awaited<ReturnType<LenderClient['notifyPaymentReceipt']>>
    >().toEqualTypeOf<Acknowledgement>();
    expectTypeOf<Acknowledgement['body']>().toBeUnknown();
  });
});

describe('errors', () => {
  const error: unknown = undefined;

  test('an unknown value is narrowed by the guard', () => {
    if (isInstallmentError(error)) expectTypeOf(error).toEqualTypeOf<AnyInstallmentError>();
    else expectTypeOf(error).toBeUnknown();
  });

  test('the code leads to the class', () => {
    if (!isInstallmentError(error)) return;
    if (error.code === 'VALIDATION') {
      expectTypeOf(error).toEqualTypeOf<ValidationError>();
      expectTypeOf(error.issues).toEqualTypeOf<readonly ValidationIssue[]>();
    }
    if (error.code === 'DUPLICATE_REFERENCE_ID') {
      expectTypeOf(error).toEqualTypeOf<DuplicateReferenceIdError>();
      expectTypeOf(error.probablyAccepted).toEqualTypeOf<boolean>();
    }
    if (error.code === 'UNKNOWN_RESULT') expectTypeOf(error).toEqualTypeOf<UnknownResultError>();
  });

  test('every code is known, and a switch over all of them is complete', () => {
    expectTypeOf<AnyInstallmentError['code']>().toEqualTypeOf<
      | ErrorStatus
      | 'ABORTED'
      | 'CONFIGURATION'
      | 'CONNECTION'
      | 'HOOK'
      | 'NOTIFICATION_REJECTED'
      | 'TIMEOUT'
      | 'UNEXPECTED_RESPONSE'
      | 'UNKNOWN_RESULT'
      | 'VALIDATION'
    >();
  });

  test('the outcome narrows to the errors that can have it', () => {
    if (!isInstallmentError(error)) return;
    expectTypeOf(error.outcome).toEqualTypeOf<FailureOutcome>();
    if (error.outcome === 'rejected') {
      expectTypeOf<ValidationError>().not.toExtend<typeof error>();
      expectTypeOf<ConfigurationError>().not.toExtend<typeof error>();
      expectTypeOf<UnknownResultError>().not.toExtend<typeof error>();
      expectTypeOf<DuplicateReferenceIdError>().not.toExtend<typeof error>();
    }
    if (error.outcome === 'not_sent') {
      expectTypeOf<typeof error.code>().toEqualTypeOf<
        'ABORTED' | 'CONFIGURATION' | 'CONNECTION' | 'HOOK' | 'TIMEOUT' | 'VALIDATION'
      >();
    }
  });

  test('the class narrows as well', () => {
    if (error instanceof ValidationError) expectTypeOf<typeof error>().toEqualTypeOf<ValidationError>();
    if (error instanceof DuplicateReferenceIdError) {
      expectTypeOf(error.resultStatus).toEqualTypeOf<'DUPLICATE_REFERENCE_ID'>();
    }
    if (error instanceof ResultError) {
      expectTypeOf(error.action).toEqualTypeOf<string>();
      expectTypeOf<typeof error.code>().toEqualTypeOf<ErrorStatus | 'UNKNOWN_RESULT'>();
    }
  });
});

describe('result statuses', () => {
  test('are open to what the service may add, and keep the documented ones for completion', () => {
    expectTypeOf<string>().toExtend<AnyResultStatus>();
    expectTypeOf<Extract<AnyResultStatus, ResultStatus>>().toEqualTypeOf<ResultStatus>();
    expectTypeOf<ResultError['resultStatus']>().toEqualTypeOf<AnyResultStatus>();
    expectTypeOf<Attempt['resultStatus']>().toEqualTypeOf<AnyResultStatus | undefined>();
  });

  test('are words where a table is read', () => {
    expectTypeOf<'DUPLICATE_REFERENCE_ID'>().toExtend<ResultStatus>();
    expectTypeOf<'LIMIT_EXCEEDED'>().toExtend<ResultStatus>();
    expectTypeOf<'APPROVED'>().not.toExtend<ErrorStatus>();
  });
});

test('a paid order has its amount and its time for certain', () => {
  type Paid = Extract<OrderView, { state: 'paid' }>;
  expectTypeOf<Paid['paidAmount']>().toEqualTypeOf<{ readonly value: number; readonly currency: string }>();
  expectTypeOf<Paid['paidAt']>().toEqualTypeOf<Date>();
});

test('onPaid gets a paid order', () => {
  type OnPaid = Extract<OrderPaymentsOptions['onPaid'], (...given: never) => unknown>;
  expectTypeOf<Parameters<OnPaid>[0]>().toEqualTypeOf<Extract<OrderView, { state: 'paid' }>>();
});
