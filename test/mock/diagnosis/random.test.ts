import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rightDigest } from '../../../src/mock/diagnosis/digest/hashings.js';
import { readSignature } from '../../../src/mock/diagnosis/digest/read-signature.js';
import type { Draft, Ingredient, Stage, Candidates } from '../../../src/mock/diagnosis/ingredient.js';
import { keyStagesOf } from '../../../src/mock/diagnosis/key.js';
import { paymentCandidates } from '../../../src/mock/diagnosis/payment/candidate-texts.js';
import { Search, type Combination } from '../../../src/mock/diagnosis/search.js';
import type { Step } from '../../../src/mock/diagnosis/variations.js';
import { uploadCandidates } from '../../../src/mock/diagnosis/upload/candidate-texts.js';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import { hex, hmac, keyOf, merchant, ofPayment, ofUpload, secretKey, sent } from './support.js';

const fields = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER-1', description: 'Tủ lạnh / máy giặt' };
const canonical = invoiceCanonicalString(fields);
const refused = { merchant, others: [], signature: '' };
const secret = Buffer.from(secretKey);
const keyStages = keyStagesOf(refused, undefined);
const payment = paymentCandidates(Buffer.from(sent), sent, refused);
const upload = uploadCandidates({ bytes: Buffer.from(''), fields, files: [] }, canonical, refused);

/** Searches for several signatures at once; a match with one of them is a finding. */
function find({ draft, stages }: Candidates, signatures: readonly string[]): Combination | undefined {
  const readings = signatures.flatMap((signature) => readSignature(signature, 'hex'));
  return new Search({ draft, stages, key: secret, keyStages, readings }).run();
}

const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((each) => Buffer.from(each));
const written = fc.constantFrom<(digest: Buffer) => string>(
  (digest) => digest.toString('hex'),
  (digest) => digest.toString('hex').toUpperCase(),
  (digest) => digest.toString('base64'),
  (digest) => digest.toString('base64url'),
  (digest) => digest.toString('hex').slice(0, 12),
  (digest) => digest.toString('hex').slice(-20),
  (digest) => `sha256=${digest.toString('hex')}`,
  (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
);
/** Signatures of a real shape that are made of nothing: digests of each kind, written in each way, and cut. */
const noise = fc
  .tuple(fc.constantFrom(16, 20, 28, 32, 48, 64).chain(bytes), written)
  .map(([digest, write]) => write(digest));
const wrong = fc.array(noise, { minLength: 200, maxLength: 200, size: 'max' });

describe('a random signature is not explained', () => {
  test.each([
    ['payments', payment],
    ['uploads', upload],
  ])('of 200 for %s', { timeout: 60_000 }, (_title, space) => {
    fc.assert(
      fc.property(wrong, (signatures) => {
        expect(find(space, signatures)).toBeUndefined();
      }),
      { numRuns: 1 },
    );
  });

  test('and the cause is secret-wrong', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(noise, (signature) => {
        expect(ofPayment(signature).cause).toBe('secret-wrong');
        expect(ofUpload(signature, fields).cause).toBe('secret-wrong');
      }),
      { numRuns: 10 },
    );
  });
});

/** At most one usual mistake of each of some stages, in their order. */
function usual<Value>(stages: readonly Stage<Value>[], most: number): fc.Arbitrary<Ingredient<Value>[]> {
  const filled = stages
    .map((stage) => stage.filter(({ rarity }) => rarity === 2))
    .filter((stage) => stage.length > 0);
  return fc
    .subarray(filled, { maxLength: most })
    .chain((chosen) => fc.tuple(...chosen.map((stage) => fc.constantFrom(...stage))));
}

function made<Value>(value: Value, mistakes: readonly Ingredient<Value>[]): Value | undefined {
  return mistakes.reduce<Value | undefined>(
    (each, { apply }) => (each === undefined ? undefined : apply(each)),
    value,
  );
}

function signatureOf(draft: Draft | undefined, key: Buffer | undefined): string | undefined {
  const signed = draft?.bytes ?? draft?.text;
  return signed === undefined || key === undefined ? undefined : hex(signed, key);
}

/** The mistakes of some steps, and each time all but one of them. */
function lessOne<Value>(steps: readonly Step<Value>[]): Ingredient<Value>[][] {
  const all = steps.map(({ ingredient }) => ingredient);
  return all.map((left) => all.filter((each) => each !== left));
}

/** The digest that a finding leads to, made again from nothing but the mistakes that it names. */
function digestOf(
  { draft: root }: Candidates,
  texts: readonly Ingredient<Draft>[],
  keys: readonly Ingredient<Buffer>[],
  hashing: Combination['hashing'],
): string | undefined {
  const [draft, key] = [made(root, texts), made(secret, keys)];
  const signed = draft?.bytes ?? draft?.text;
  if (signed === undefined || key === undefined) return undefined;
  return (hashing?.digest ?? rightDigest)(signed, keyOf(key)).toString('hex');
}

describe.each([
  ['a payment', payment],
  ['an upload', upload],
])('a random combination of usual mistakes in %s', (_title, space) => {
  const { draft: root, stages } = space;

  function check(texts: Ingredient<Draft>[], keys: Ingredient<Buffer>[]): Combination | undefined {
    const signature = signatureOf(made(root, texts), made(secret, keys));
    fc.pre(signature !== undefined && signature !== signatureOf(root, secret));
    const finding = find(space, [signature]);
    if (!finding) return undefined;
    const [named, secrets] = [finding.text.steps, finding.key.steps];
    const all = [
      named.map(({ ingredient }) => ingredient),
      secrets.map(({ ingredient }) => ingredient),
    ] as const;
    expect(digestOf(space, all[0], all[1], finding.hashing)).toBe(signature);
    expect(named.length + secrets.length).toBeLessThanOrEqual(texts.length + keys.length);
    for (const fewer of lessOne(named)) {
      expect(digestOf(space, fewer, all[1], finding.hashing)).not.toBe(signature);
    }
    for (const fewer of lessOne(secrets)) {
      expect(digestOf(space, all[0], fewer, finding.hashing)).not.toBe(signature);
    }
    return finding;
  }

  const two = fc
    .tuple(usual(stages, 2), usual(keyStages, 1))
    .filter(([texts, keys]) => texts.length + keys.length > 0 && texts.length + keys.length <= 2);
  const three = fc
    .tuple(usual(stages, 3), usual(keyStages, 1))
    .filter(([texts, keys]) => texts.length + keys.length === 3);

  test('of one or two is explained, and each mistake that is named is needed', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(two, ([texts, keys]) => {
        expect(check(texts, keys)).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });

  test('of three is explained in the same way, or is not explained', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(three, ([texts, keys]) => {
        check(texts, keys);
      }),
      { numRuns: 60 },
    );
  });
});

test('the encoding of a signature is named last', { timeout: 60_000 }, () => {
  const ways = [
    (digest: Buffer) => [digest.toString('base64'), 'digest-base64'],
    (digest: Buffer) => [digest.toString('hex').toUpperCase(), 'digest-upper-case'],
    (digest: Buffer) => [`sha256=${digest.toString('hex')}`, 'digest-prefixed'],
    (digest: Buffer) => [`"${digest.toString('hex')}"`, 'digest-quoted'],
    (digest: Buffer) => [digest.toString('hex').slice(0, 42), 'digest-truncated'],
    (digest: Buffer) => [Buffer.from(digest.toString('hex')).toString('base64'), 'digest-base64-of-hex'],
  ] as const;
  fc.assert(
    fc.property(usual(payment.stages, 2), fc.constantFrom(...ways), (texts, write) => {
      const draft = made(payment.draft, texts);
      const signed = draft?.bytes ?? draft?.text;
      fc.pre(signed !== undefined && hex(signed) !== hex(sent));
      const [signature = '', way = ''] = write(hmac(signed));
      expect(ofPayment(signature).cause).toBe(`${ofPayment(hex(signed)).cause} + ${way}`);
    }),
    { numRuns: 60 },
  );
});
