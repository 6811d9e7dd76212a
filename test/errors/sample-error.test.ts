import { expect, test } from 'vitest';
import { DuplicateReferenceIdError } from '../../src/errors/status-errors.js';
import { MockUsageError } from '../../src/errors/usage-error.js';
import { sampleError } from '../../src/errors/sample-error.js';
import { documentedStatuses } from '../helpers/documented-statuses.js';

type Status = Parameters<typeof sampleError>[0];

const rows = Object.entries(documentedStatuses).flatMap(([operation, table]) =>
  Object.entries(table).map(([code, expected]) => ({
    operation: operation as keyof typeof documentedStatuses,
    code: code as Status,
    expected,
  })),
);

test.each(rows)(
  'a sample of $code for $operation has the class, outcome and advice of the client',
  ({ operation, code, expected }) => {
    const error = sampleError(code, { operation });
    const { name, outcome, retryable, action } = expected;
    expect(error).toMatchObject({
      name,
      code,
      outcome,
      retryable,
      operation,
      referenceId: 'ORDER:2026-0001',
    });
    expect((error as { action?: string }).action).toMatch(action);
  },
);

test('the sample of an error accepts different facts', () => {
  const duplicate = sampleError('DUPLICATE_REFERENCE_ID', { mayHaveActedBefore: true, resultMsg: 'again' });
  expect(duplicate).toBeInstanceOf(DuplicateReferenceIdError);
  expect([duplicate.probablyAccepted, duplicate.resultMsg]).toEqual([true, 'again']);
  expect(sampleError('UNKNOWN_RESULT', { resultStatus: 'SETTLED' }).resultStatus).toBe('SETTLED');
});

test.each([
  ['TIMOUT', 'sampleError: unknown code: did you mean TIMEOUT?'],
  ['MAY_HAVE_BEEN_SENT', /^sampleError: unknown code\. The codes are .*TIMEOUT.*\.$/],
  ['toString', /unknown code/],
  [undefined, /unknown code/],
])('an unknown code is refused, and the message lists the codes: %s', (code, message) => {
  expect(() => sampleError(code as Status)).toThrow(MockUsageError);
  expect(() => sampleError(code as Status)).toThrow(message);
});

test.each(['uploadInvoice', 'repaymentAllocation', 'post'] as const)(
  'a sample for %s, which is sent once, is not retryable once it may have been acted on, as in the client',
  (operation) => {
    for (const code of ['CONNECTION', 'TIMEOUT', 'UNEXPECTED_RESPONSE', 'DOWNSTREAM_ERROR'] as const) {
      expect(sampleError(code, { operation })).toMatchObject({ outcome: 'unknown', retryable: false });
    }
    expect(sampleError('CONNECTION', { operation, outcome: 'not_sent' }).retryable).toBe(true);
  },
);
