import { describe, expect, it } from 'vitest';
import type { CallMetadata } from '../../src/errors/call-metadata.js';
import {
  DuplicateReferenceIdError,
  LimitExceededError,
  ResultError,
  resultErrorClasses,
  shownStatus,
  UnknownResultError,
} from '../../src/errors/result-errors.js';
import { documentedStatuses } from '../helpers/documented-statuses.js';

const rejected = { outcome: 'rejected', retryable: false } as const;
const unknown = { outcome: 'unknown', retryable: false } as const;
const metadata: CallMetadata = { operation: 'initiatePayment', referenceId: 'ORDER:1', attempts: [] };

describe('the class of a documented status', () => {
  it.each(Object.entries(resultErrorClasses))('%s makes an error of that status', (status, ErrorClass) => {
    const rows = Object.values(documentedStatuses).map((table) =>
      Object.getOwnPropertyDescriptor(table, status),
    );
    const documented: unknown = rows.find(Boolean)?.value;
    const error = new ErrorClass('initiatePayment', rejected);
    expect(error).toBeInstanceOf(ResultError);
    expect(documented).toMatchObject({ name: error.name });
    expect(ErrorClass).toHaveProperty('kind', error.name);
    expect(error).toMatchObject({ code: status, resultStatus: status, outcome: 'rejected', resultMsg: '' });
    expect(error.message).toContain(`: ${status}. `);
  });
});

describe('the error of a documented status', () => {
  it('has the meaning of the status and the action', () => {
    const error = new LimitExceededError('uploadInvoice', { ...rejected, resultMsg: 'Too many.' });
    expect(error.message).toBe(
      'uploadInvoice: LIMIT_EXCEEDED. The referenceId has 3 invoices already. ' +
        'Remove one through the portal or support, or skip this invoice.',
    );
    expect(error.action).toBe('Remove one through the portal or support, or skip this invoice.');
    expect(error.resultMsg).toBe('Too many.');
    expect(JSON.stringify(error)).not.toContain('Too many.');
  });

  it('warns where the service may have acted on an earlier attempt, since the usual action could charge twice', () => {
    const error = new DuplicateReferenceIdError('initiatePayment', {
      ...unknown,
      metadata,
      mayHaveActedBefore: true,
    });
    expect(error.action).toBe(
      'The service may have acted on an earlier attempt. Look the payment up, or ask the service. Do not create another ' +
        'payment for this order before the outcome is known.',
    );
    expect(error.message).toBe(
      `initiatePayment ORDER:1: DUPLICATE_REFERENCE_ID. The referenceId was used before. ${error.action}`,
    );
  });

  it('tells for a duplicate whether the payment probably exists', () => {
    const after = { ...unknown, mayHaveActedBefore: true };
    expect(new DuplicateReferenceIdError('initiatePayment', after).probablyAccepted).toBe(true);
    expect(new DuplicateReferenceIdError('initiatePayment', unknown).probablyAccepted).toBe(false);
    expect(new DuplicateReferenceIdError('initiatePayment', rejected).probablyAccepted).toBe(false);
  });
});

describe('the error of an undocumented status', () => {
  it('shows the status if it is a word, and asks the merchant to find out', () => {
    const error = new UnknownResultError('SETTLED', { ...unknown, metadata });
    expect(error).toMatchObject({
      code: 'UNKNOWN_RESULT',
      resultStatus: 'SETTLED',
      name: 'UnknownResultError',
    });
    expect(error.action).toBe(
      'Ask the service what this status means before you continue or cancel the order.',
    );
    expect(error.message).toBe(
      `initiatePayment ORDER:1: the result status (SETTLED) is not documented. ${error.action}`,
    );
  });

  it('hides a status that could quote a customer', () => {
    const error = new UnknownResultError('Nguyen An', unknown);
    expect(error.resultStatus).toBe('Nguyen An');
    expect(error.message).toBe(`the result status (not a word) is not documented. ${error.action}`);
  });

  it.each([
    [`A${'_'.repeat(59)}`, true],
    [`A${'_'.repeat(60)}`, false],
    ['a-B', true],
    ['_A', false],
    ['A1', false],
    ['', false],
    ['1 APPROVED', false],
    ['APPROVED 1', false],
  ])('takes %j for a word: %s', (status, isWord) => {
    expect(shownStatus(status)).toBe(isWord ? status : undefined);
  });
});
