import { describe, expect, test } from 'vitest';
import { addNotification, newReceipt, receiptView } from '../../../src/mock/state/receipts.js';
import type { PaymentReceiptWire } from '../../../src/protocol/lender-types.js';
import { receipt } from '../../helpers/lender-samples.js';

const sample = (changes: object = {}) => receipt({ ...changes }) as PaymentReceiptWire;
const reversal = { receivedStatus: 'REVERSED', reversalReason: 'bounced' } as const;

describe('a receipt', () => {
  test('is returned as it was sent, with the time of its arrival', () => {
    expect(receiptView(newReceipt(sample(), 5))).toStrictEqual({ ...sample(), recordedAt: new Date(5) });
  });

  test('that was reversed has the reversal and its time beside the facts of the payment', () => {
    const record = newReceipt(sample(), 5);
    const later = { ...reversal, receivedDatetime: '2026-11-20T11:00:00+0700', requestId: 'later' };
    expect(addNotification(record, sample(later), 6)).toBe('reversed');
    expect(receiptView(record)).toStrictEqual({
      ...sample(),
      ...reversal,
      recordedAt: new Date(5),
      reversedAt: new Date(6),
    });
  });

  test('whose reversal came first has the facts of the payment once that arrives', () => {
    const record = newReceipt(sample({ ...reversal, requestId: 'early' }), 5);
    expect(receiptView(record)).toStrictEqual({
      ...sample({ ...reversal, requestId: 'early' }),
      recordedAt: new Date(5),
      reversedAt: new Date(5),
    });
    expect(addNotification(record, sample(), 6)).toBe('stored');
    expect(receiptView(record)).toStrictEqual({
      ...sample(),
      ...reversal,
      recordedAt: new Date(5),
      reversedAt: new Date(5),
    });
  });
});

describe('a second notification of a receipt', () => {
  const facts = { lenderReferenceId: 'L-1', bankTransactionSequenceId: 'B-1' };

  test.each<[string, object, string]>([
    ['the same again', {}, 'repeated'],
    ['at another moment of sending', { requestingDatetime: '2026-11-21T00:00:00+0700' }, 'repeated'],
    ['under another requestId', { requestId: 'other' }, 'repeated'],
    ['of another application', { serviceApplicationId: 'other' }, 'repeated'],
    ['without the reference of the lender', { lenderReferenceId: undefined }, 'repeated'],
    ['without the sequence of the bank', { bankTransactionSequenceId: undefined }, 'repeated'],
    ['with another reference of the lender', { lenderReferenceId: 'L-2' }, 'conflict'],
    ['with another sequence of the bank', { bankTransactionSequenceId: 'B-2' }, 'conflict'],
    ['of another contract', { contractNumber: 'CONTRACT-2' }, 'conflict'],
    ['of another lender', { lenderCode: 'LENDER-02' }, 'conflict'],
    ['of another amount', { receivedAmount: 1 }, 'conflict'],
    ['of another moment', { receivedDatetime: '2026-11-20T10:00:00+0700' }, 'conflict'],
    ['that reverses it', reversal, 'reversed'],
    [
      'that reverses it at another moment',
      { ...reversal, receivedDatetime: '2026-11-20T10:00:00+0700' },
      'reversed',
    ],
    ['that reverses another amount', { ...reversal, receivedAmount: 1 }, 'conflict'],
  ])('%s', (_title, changes, outcome) => {
    const record = newReceipt(sample(facts), 5);
    expect(addNotification(record, sample({ ...facts, ...changes }), 6)).toBe(outcome);
    expect(record.reversedAt).toBe(outcome === 'reversed' ? 6 : undefined);
  });

  test('may add the reference and the sequence', () => {
    const record = newReceipt(sample(), 5);
    expect(addNotification(record, sample(facts), 6)).toBe('repeated');
  });

  test('that repeats the reversal does not change its time', () => {
    const record = newReceipt(sample(reversal), 5);
    expect(addNotification(record, sample({ ...reversal, requestId: 'other' }), 6)).toBe('repeated');
    expect(record.reversedAt).toBe(5);
  });
});
