import { expect, test } from 'vitest';
import { expiryWarning } from '../../src/protocol/payment-warnings.js';

const day = 86_400_000;

test.each([
  [undefined, undefined],
  [1, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, undefined],
  [86_400, 'probably whole hours in seconds'],
  [7 * 86_400, 'probably whole hours in seconds'],
  [86_401, undefined],
  [90_000, undefined],
  [1_795_600_020, 'probably a Unix time in seconds'],
  [21 * day, undefined],
  [90 * day, undefined],
  [90 * day + 1, 'more than 90 days'],
  [Number.MAX_SAFE_INTEGER, 'more than 90 days'],
])(
  'the client warns of a transExpiredTime that is probably in the wrong unit: %s',
  (transExpiredTime, problem) => {
    const warning = expiryWarning({ transExpiredTime });
    expect(warning).toEqual(problem && expect.stringContaining(`transExpiredTime is ${problem}`));
  },
);
