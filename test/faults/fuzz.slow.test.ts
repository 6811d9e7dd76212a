import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvedPayment, demo, demoClient, paymentRequest } from '../helpers/samples.js';
import { scriptedFetch } from '../helpers/scripted-fetch.js';

const runs = 2_000;
const timeoutMs = 60_000;

// The scripted faults are chosen by hand. Here a response is made of random bytes.

/** The approval in an answer's bytes, read without the package, or undefined. */
function approvalIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    if (typeof value !== 'object' || value === null) return undefined;
    const body = value as Record<string, unknown>;
    // An approval may leave its identifiers out, but an empty one is another.
    const sameReference = [undefined, null, 'ORDER:2026-0001'].includes(body['referenceId'] as string);
    const sameMerchant = [undefined, null, demo.merchantId].includes(body['merchantId'] as never);
    const hasUrl = typeof body['paymentUrl'] === 'string' && body['paymentUrl'] !== '';
    return body['resultStatus'] === 'APPROVED' && sameReference && sameMerchant && hasUrl ? body : undefined;
  } catch {
    return undefined;
  }
}

const valid = Buffer.from(JSON.stringify(approvedPayment({ resultMsg: 'Đã duyệt' })));

const mutated = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.nat(valid.length).map((length) => valid.subarray(0, length)),
  fc
    .tuple(fc.nat(valid.length - 1), fc.nat(255))
    .map(([at, byte]) => Buffer.from(valid).fill(byte, at, at + 1)),
  fc
    .tuple(fc.nat(valid.length), fc.uint8Array({ maxLength: 8 }))
    .map(([at, more]) => Buffer.concat([valid.subarray(0, at), more, valid.subarray(at)])),
  fc
    .tuple(fc.constantFrom(...Object.keys(approvedPayment())), fc.jsonValue())
    .map(([field, value]) => Buffer.from(JSON.stringify({ ...approvedPayment(), [field]: value }))),
  fc.json().map((text) => Buffer.from(text)),
);

test(
  'no answer gives a success that its bytes do not carry, and none that they carry is lost',
  async () => {
    await fc.assert(
      fc.asyncProperty(mutated, fc.constantFrom(200, 201, 400, 404, 429, 500), async (bytes, status) => {
        const { fetch } = scriptedFetch(
          () => new Response(bytes.length > 0 ? Buffer.from(bytes) : null, { status }),
        );
        const carried = approvalIn(bytes);
        const call = demoClient({ fetch, maxRetries: 0 }).initiatePayment(paymentRequest());
        if (carried) await expect(call).resolves.toEqual(carried);
        else await expect(call).rejects.toMatchObject({ referenceId: 'ORDER:2026-0001' });
      }),
      { numRuns: runs },
    );
  },
  timeoutMs,
);
