import { describe, expect, test } from 'vitest';
import { errorTable } from '../../src/errors/error-codes.js';
import type { InstallmentErrorCode } from '../../src/entries/index.js';
import { sampleError } from '../../src/errors/sample-error.js';

const codes = ['CONFIGURATION', ...Object.keys(errorTable)] as InstallmentErrorCode[];

describe('the JSON of an error', () => {
  test.each(codes)('is plain data with the fields of the error: %s', (code) => {
    const error = sampleError(code);
    const json = error.toJSON();
    expect(structuredClone(json)).toEqual(JSON.parse(JSON.stringify(error)));
    const { name, message, outcome, retryable, nextStep, action } = error;
    expect(json).toMatchObject({ name, message, code, outcome, retryable, nextStep, action });
  });

  test('contains the fields that only errors of its code have', () => {
    expect(sampleError('CONFIGURATION').toJSON()).toMatchObject({ option: 'baseUrl' });
    expect(sampleError('VALIDATION').toJSON()).toMatchObject({
      issues: [{ resultStatus: 'INVALID_AMOUNT' }],
    });
    expect(sampleError('LIMIT_EXCEEDED').toJSON()).toMatchObject({ resultStatus: 'LIMIT_EXCEEDED' });
    const duplicate = sampleError('DUPLICATE_REFERENCE_ID', { mayHaveActedBefore: true });
    expect(duplicate.toJSON()).toMatchObject({ probablyAccepted: true });
    expect(sampleError('UNKNOWN_RESULT', { resultStatus: 'two words' }).toJSON()).not.toHaveProperty(
      'resultStatus',
    );
  });

  test('contains the attempts with their times as text, and the status of the last response', () => {
    expect(sampleError('UNEXPECTED_RESPONSE').toJSON()).toMatchObject({
      httpStatus: 502,
      $metadata: { httpStatus: 502, attempts: [{ startedAt: '2026-11-20T03:04:05.000Z' }] },
    });
  });
});
