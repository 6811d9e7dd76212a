import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmac, ofPayment, ofUpload } from './support.js';

// Signatures of a real shape that are made of nothing: digests of each kind, written in each way, and cut.
const digests = [16, 20, 28, 32, 48, 64].map((size) => randomBytes(size));
const noise = [
  ...digests.flatMap((digest) => [digest.toString('hex'), digest.toString('base64')]),
  hmac('?', '?').toString('hex').toUpperCase(),
  hmac('?', '?').toString('base64url'),
  hmac('?', '?').toString('hex').slice(0, 12),
  hmac('?', '?').toString('hex').slice(-20),
  `sha256=${hmac('?', '?').toString('hex')}`,
  Buffer.from(hmac('?', '?').toString('hex')).toString('base64'),
];

test.each(noise)('a random signature is not explained: %s', (signature) => {
  expect(ofPayment(signature).cause).toBe('unexplained');
  expect(ofUpload(signature).cause).toBe('unexplained');
});
