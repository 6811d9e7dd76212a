import { describe, expect, test } from 'vitest';
import { resultStatuses } from '../../src/entries/index.js';
import { errorStatusInfo, isErrorStatus, isResultStatus } from '../../src/protocol/result-statuses.js';
import { documentedStatuses } from '../helpers/documented-statuses.js';

describe('the table of result statuses', () => {
  test.each(['initiatePayment', 'uploadInvoice'] as const)(
    'contains every status of %s and no other',
    (operation) => {
      expect(Object.keys(resultStatuses[operation])).toEqual([
        'APPROVED',
        ...Object.keys(documentedStatuses[operation]),
      ]);
      expect(resultStatuses[operation].APPROVED).toMatchObject({ outcome: 'accepted', retryable: false });
    },
  );

  test('advises another referenceId for a duplicate only under the condition that makes it safe', () => {
    const { action } = resultStatuses.initiatePayment.DUPLICATE_REFERENCE_ID;
    expect(action).toBe(
      'Look up the payment with this referenceId. Use another referenceId only if that payment was not created for this order.',
    );
  });

  test('decides the outcome of each status, and whether the request is retried', () => {
    const decisions = Object.fromEntries(
      Object.entries(resultStatuses).map(([operation, table]) => [
        operation,
        Object.entries(table)
          .filter(([, { outcome, retryable }]) => outcome !== 'rejected' || retryable)
          .map(([status, { outcome, retryable }]) => `${status}: ${outcome}${retryable ? ', repeated' : ''}`),
      ]),
    );
    expect(decisions).toEqual({
      initiatePayment: [
        'APPROVED: accepted',
        'DUPLICATE_REFERENCE_ID: unknown',
        'REQUEST_PROCESSING: unknown, repeated',
        'DOWNSTREAM_ERROR: unknown, repeated',
      ],
      uploadInvoice: ['APPROVED: accepted', 'ERROR_GENERAL: unknown'],
    });
  });

  test('cannot be changed, down to its cells', () => {
    expect(Object.isFrozen(resultStatuses)).toBe(true);
    for (const table of Object.values(resultStatuses)) {
      expect(Object.isFrozen(table)).toBe(true);
      expect(Object.values(table).every(Object.isFrozen)).toBe(true);
    }
  });

  test('contains a text in every cell', () => {
    for (const table of Object.values(resultStatuses)) {
      for (const { meaning, action } of Object.values(table)) expect([meaning, action]).not.toContain('');
    }
  });

  test("falls back to the other operation's table", () => {
    expect(errorStatusInfo('uploadInvoice', 'INVALID_MERCHANT_ID')).toBe(
      resultStatuses.initiatePayment.INVALID_MERCHANT_ID,
    );
    expect(errorStatusInfo('initiatePayment', 'FILE_TOO_LARGE')).toBe(
      resultStatuses.uploadInvoice.FILE_TOO_LARGE,
    );
    expect(errorStatusInfo('uploadInvoice', 'ERROR_GENERAL')).toBe(
      resultStatuses.uploadInvoice.ERROR_GENERAL,
    );
  });

  test.each(['approved', 'toString', '__proto__', 'constructor', 'INVALID_REQUEST ', ''])(
    'does not contain %j',
    (status) => {
      expect(isResultStatus(status)).toBe(false);
      expect(isErrorStatus(status)).toBe(false);
    },
  );

  test('contains APPROVED as a status, not as an error', () => {
    expect(isResultStatus('APPROVED')).toBe(true);
    expect(isErrorStatus('APPROVED')).toBe(false);
    expect(isErrorStatus('LIMIT_EXCEEDED')).toBe(true);
  });
});
