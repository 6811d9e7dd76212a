import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';
import {
  isRedirect,
  isRateLimited,
  hasUnknownOutcome,
} from '../../../src/workbench/findings/journal-queries.js';

const entry = (given: Partial<JournalEntry>) => given as JournalEntry;

describe('hasUnknownOutcome', () => {
  test.each<[Partial<JournalEntry>, boolean]>([
    [{ answer: 'lost', httpStatus: 200, resultStatus: 'APPROVED' }, true],
    [{ answer: 'abandoned', httpStatus: 400 }, true],
    [{ resultStatus: 'REQUEST_PROCESSING', httpStatus: 200 }, true],
    [{ resultStatus: 'APPROVED', httpStatus: 500 }, false],
    [{ resultStatus: 'INVALID_AMOUNT', httpStatus: 408 }, false],
    // The same status leaves an upload open.
    [{ resultStatus: 'ERROR_GENERAL', httpStatus: 500 }, false],
    [{ resultStatus: 'NOT_DOCUMENTED', httpStatus: 400 }, true],
    [{ httpStatus: 200 }, true],
    [{ httpStatus: 399 }, true],
    [{ httpStatus: 400 }, false],
    [{ httpStatus: 407 }, true],
    [{ httpStatus: 408 }, true],
    [{ httpStatus: 409 }, true],
    [{ httpStatus: 421 }, true],
    [{ httpStatus: 425 }, true],
    [{ httpStatus: 499 }, false],
    [{ httpStatus: 500 }, true],
    [{}, false],
  ])('returns, after %j, %s', (given, isOpen) => {
    expect(hasUnknownOutcome(entry(given))).toBe(isOpen);
  });
});

describe('a redirect', () => {
  test.each<[Partial<JournalEntry>, boolean]>([
    [{ httpStatus: 299 }, false],
    [{ httpStatus: 300 }, true],
    [{ httpStatus: 399 }, true],
    [{ httpStatus: 400 }, false],
    [{ httpStatus: 302, resultStatus: 'APPROVED' }, false],
    [{}, false],
  ])('is recognised by its status without a result: %j, %s', (given, is) => {
    expect(isRedirect(entry(given))).toBe(is);
  });
});

test('a 429 is a refusal for now only if the service has not acted', () => {
  expect(isRateLimited(entry({ httpStatus: 429, acted: false }))).toBe(true);
  expect(isRateLimited(entry({ httpStatus: 429, acted: true }))).toBe(false);
  expect(isRateLimited(entry({ httpStatus: 503, acted: false }))).toBe(false);
});
