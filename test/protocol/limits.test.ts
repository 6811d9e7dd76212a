import { expect, test } from 'vitest';
import * as limits from '../../src/protocol/limits.js';

test('the limits are those of the specification and of the mock', () => {
  expect({ ...limits }).toEqual({
    maxReferenceLength: 60,
    maxItems: 200,
    usualPhoneDigits: [10, 11],
    maxInvoices: 3,
    maxFileMegabytes: 5,
    maxFileBytes: 5_242_880,
    longestWaitMs: 60_000,
  });
});
