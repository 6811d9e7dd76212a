import { describe, expectTypeOf, test } from 'vitest';
import {
  type resultStatuses,
  type AnyInstallmentError,
  type DuplicateReferenceIdError,
  type InstallmentApi,
  type InstallmentClient,
  type InstallmentErrorCode,
  type InstallmentErrorJSON,
  type ValidationError,
} from '../../src/entries/index.js';
import type { OrdersClient } from '../../src/entries/orders.js';
import {
  mockWebhookEventSchema,
  sampleError,
  scenarios,
  type MockWebhookEvent,
  type RehearsalOptions,
} from '../../src/entries/mock.js';
import { createWebhookHandler } from '../../src/entries/webhooks.js';
import type { ErrorStatus, ResultStatusInfo } from '../../src/protocol/result-statuses.js';

describe('tables', () => {
  test('the names of the scenarios are those that a rehearsal takes', () => {
    const names = scenarios.filter(({ isDefault }) => isDefault).map(({ name }) => name);
    expectTypeOf(names).toExtend<NonNullable<RehearsalOptions['scenarios']>>();
  });

  test('the rows of result statuses cannot be changed', () => {
    type Row = (typeof resultStatuses)['uploadInvoice']['LIMIT_EXCEEDED'];
    expectTypeOf<Row>().toEqualTypeOf<ResultStatusInfo & { readonly outcome: 'rejected' }>();
  });
});

describe('the interface of the client', () => {
  test('is implemented by the client, and taken by a processor', () => {
    expectTypeOf<InstallmentClient>().toExtend<InstallmentApi>();
    expectTypeOf<InstallmentApi>().toExtend<OrdersClient>();
    expectTypeOf<InstallmentApi>().not.toExtend<InstallmentClient>();
  });

  test('has the options of each call, headers included', () => {
    type Options = NonNullable<Parameters<InstallmentApi['uploadInvoice']>[1]>;
    expectTypeOf<{ headers: { 'X-Trace': string } }>().toExtend<Options>();
    type Changes = Parameters<InstallmentClient['withOptions']>[0];
    expectTypeOf<{ maxRetries: number }>().toExtend<Changes>();
    expectTypeOf<Changes>().not.toHaveProperty('baseUrl');
  });
});

describe('errors', () => {
  test('have codes that are known, each documented status included', () => {
    expectTypeOf<ErrorStatus>().toExtend<InstallmentErrorCode>();
    expectTypeOf<'TIMEOUT'>().toExtend<InstallmentErrorCode>();
    expectTypeOf<string>().not.toExtend<InstallmentErrorCode>();
    expectTypeOf<InstallmentErrorCode>().toEqualTypeOf<AnyInstallmentError['code']>();
  });

  test('have typed JSON', () => {
    expectTypeOf<ValidationError['toJSON']>().returns.toEqualTypeOf<InstallmentErrorJSON>();
  });

  test('are sampled by their code', () => {
    expectTypeOf(sampleError('DUPLICATE_REFERENCE_ID')).toEqualTypeOf<DuplicateReferenceIdError>();
    expectTypeOf(sampleError('VALIDATION')).toEqualTypeOf<ValidationError>();
    // @ts-expect-error misspelled
    sampleError('DUPLICATE_REFERENCE');
  });
});

describe('the mock', () => {
  test('types its own webhook', () => {
    createWebhookHandler({
      secretKey: 'demo-secret',
      schema: mockWebhookEventSchema,
      onEvent: (event) => {
        expectTypeOf(event).toEqualTypeOf<MockWebhookEvent>();
      },
    });
  });
});
