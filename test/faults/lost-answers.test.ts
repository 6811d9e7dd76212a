import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantRuntime } from '../helpers/runtime.js';
import { over } from './detours.js';
import { FaultServer, type Step } from './fault-server.js';
import { approval, approved, callers, type Caller, type Ended } from './harness.js';
import { encode, type Encoding } from './steps.js';
import { isInstallmentError } from '../../src/index.js';

/** An answer of a service that has acted, and what becomes of it on its way. */
const lostAnswer = fc.record({
  caller: fc.constantFrom(...callers),
  status: fc.constantFrom(200, 201, 400, 401, 403, 404, 407, 409, 413, 421, 422, 429, 500, 502, 503),
  encoding: fc.constantFrom<Encoding | 'identity'>('identity', 'gzip', 'br', 'deflate'),
  framing: fc.constantFrom('length', 'chunks', 'close'),
  damage: fc.constantFrom('cut', 'flip', 'stall'),
  /** Where the damage is, as a share of the bytes of the body. */
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  bit: fc.nat(7),
  then: fc.constantFrom('end', 'reset'),
});
type LostAnswer = typeof lostAnswer extends fc.Arbitrary<infer T> ? T : never;

const answerText = JSON.stringify(approval);

function headOf({ status, encoding, framing }: LostAnswer, length: number): string {
  const lines = [`HTTP/1.1 ${String(status)} Scripted`, 'Content-Type: application/json'];
  if (encoding !== 'identity') lines.push(`Content-Encoding: ${encoding}`);
  if (framing === 'length') lines.push(`Content-Length: ${String(length)}`);
  if (framing === 'chunks') lines.push('Transfer-Encoding: chunked');
  if (framing === 'close') lines.push('Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The body with its framing, as two chunks where it is chunked. */
function framed(body: Buffer, framing: LostAnswer['framing']): Buffer {
  if (framing !== 'chunks') return body;
  const middle = body.length >> 1;
  const chunk = (part: Buffer) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')];
  return Buffer.concat([
    ...chunk(body.subarray(0, middle)),
    ...chunk(body.subarray(middle)),
    Buffer.from('0\r\n\r\n'),
  ]);
}

/** The answer as it arrives. */
function damaged(lost: LostAnswer, stalled: () => void): Step {
  const { encoding, framing, damage, at, bit, then } = lost;
  const body = encoding === 'identity' ? Buffer.from(answerText) : encode(answerText, encoding);
  const bytes = framed(body, framing);
  const position = Math.floor(bytes.length * at);
  let arriving = bytes.subarray(0, position);
  if (damage === 'flip') {
    arriving = Buffer.from(bytes);
    arriving[position] = (arriving[position] ?? 0) ^ (1 << bit);
  }
  const wire = Buffer.concat([Buffer.from(headOf(lost, body.length)), arriving]);
  return {
    at: 'end',
    act: (socket) => {
      if (damage === 'stall') socket.write(wire, () => setImmediate(stalled));
      else if (damage === 'flip' && framing !== 'close') socket.write(wire, () => setImmediate(stalled));
      else if (then === 'reset') socket.write(wire, () => socket.resetAndDestroy());
      else socket.end(wire);
    },
  };
}

async function ended(caller: Caller, lost: LostAnswer): Promise<Ended & { readonly requests: number }> {
  const runtime = instantRuntime();
  // A damaged length may leave the client waiting for bytes that never come: its limit ends that.
  const stalled = () => {
    for (let turn = 0; turn < 3; turn++) runtime.advance(15_000);
  };
  await using server = await FaultServer.start([damaged(lost, stalled), approved]);
  // The built-in fetch never ends the body of a damaged deflate stream: its limit has to.
  const late = setTimeout(stalled, 500);
  try {
    const result = await caller.call({ baseUrl: server.url, runtime });
    return {
      result: { ...result, $metadata: result.$metadata },
      attempts: [],
      requests: server.requests.length,
    };
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    return { error, attempts: [], requests: server.requests.length };
  } finally {
    clearTimeout(late);
  }
}

const decided4xx: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 422, 429]);

/**
 * A lender reads the HTTP status alone, so a whole answer under a 4xx is a refusal, whatever it says: such a service
 * did not act. Cut in its first half it is nothing, under any status.
 */
function saysThatItActed({ caller, status, damage, at }: LostAnswer): boolean {
  return caller.side === 'merchant' || !decided4xx.has(status) || (damage !== 'flip' && at < 0.5);
}

/** True where what arrived is an answer like any other: only the damage knows that it was another one. */
function readsAsAnswer({
  httpStatus,
  resultStatus,
}: {
  httpStatus?: number;
  resultStatus?: unknown;
}): boolean {
  return httpStatus !== undefined && resultStatus !== undefined;
}

test('an answer that is cut, flipped or stalled is never a refusal, never unsent, and never sends an upload twice', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(lostAnswer.filter(saysThatItActed), async (lost) => {
      const { caller } = lost;
      const { error, requests } = await ended(caller, lost);
      const [first] = error?.$metadata?.attempts ?? [];
      seen.add(error?.outcome ?? 'result');
      if (error && !(first && readsAsAnswer(first))) expect(error.outcome).toBe('unknown');
      if (!caller.idempotent) expect(requests).toBe(1);
    }),
    { numRuns: over({ node: 5_000, fetch: 600 }) },
  );
  expect([...seen].sort()).toEqual(['result', 'unknown']);
}, 300_000);
