import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmac, ofPayment, ofUpload } from '../../workbench/diagnosis/support.js';

// Random signatures of a realistic shape: digests of each kind, in each notation, and cut.
const digest = hmac('?', '?');
const hex = digest.toString('hex');

test.each([
  ...[16, 20, 28, 32, 48, 64].flatMap((size) => [
    [`${size} bytes in hex`, randomBytes(size).toString('hex')] as const,
    [`${size} bytes in base64`, randomBytes(size).toString('base64')] as const,
  ]),
  ['upper case', hex.toUpperCase()],
  ['base64 for URLs', digest.toString('base64url')],
  ['the first digits', hex.slice(0, 12)],
  ['the last digits', hex.slice(-20)],
  ['a prefix', `sha256=${hex}`],
  ['base64 of hex digits', Buffer.from(hex).toString('base64')],
] as const)('a signature of nothing is not explained: %s', (_name, signature) => {
  const [paid, uploaded] = [ofPayment(signature), ofUpload(signature)];
  expect([signature, paid.cause, uploaded.cause]).toEqual([signature, 'unexplained', 'unexplained']);
});
