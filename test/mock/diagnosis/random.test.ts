import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Draft, Ingredient, Stage } from '../../../src/mock/diagnosis/draft.js';
import { jsonSpace } from '../../../src/mock/diagnosis/json-space.js';
import { secretStages } from '../../../src/mock/diagnosis/secrets.js';
import { hex, hmac, merchant, ofPayment, ofUpload, secretKey, sent } from './support.js';

// The seed is that of the run: a failure prints it, and how to replay it.
const runs = (numRuns: number) => ({ numRuns, endOnFailure: true });

const small =
  '{"referenceId":"ORDER-1","amount":{"value":12000000,"currency":"VND"},"description":"Tủ lạnh / máy giặt"}';
const fields = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER-1', description: 'Tủ lạnh / máy giặt' };

const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((each) => Buffer.from(each));
/** Signatures of a real shape that are made of nothing: whole digests of each kind, written in each way, and cut. */
const noise = fc
  .tuple(
    fc.constantFrom(16, 20, 32, 48, 64).chain(bytes),
    fc.constantFrom('hex', 'HEX', 'base64', 'base64url', 'cut', 'prefixed'),
  )
  .map(([digest, form]) => {
    const hexadecimal = digest.toString('hex');
    if (form === 'HEX') return hexadecimal.toUpperCase();
    if (form === 'cut') return hexadecimal.slice(0, 12);
    if (form === 'prefixed') return `sha256=${hexadecimal}`;
    return form === 'hex' ? hexadecimal : digest.toString(form === 'base64' ? 'base64' : 'base64url');
  });

describe('a random signature is explained by nothing', () => {
  // Much of the work is the same whatever the signature: half of each kind makes 2,000.
  test('of a payment', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(noise, (signature) => ofPayment(signature, small).cause === 'secret-wrong'),
      runs(1000),
    );
  });

  test('of an upload', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(noise, (signature) => ofUpload(signature, fields).cause === 'secret-wrong'),
      runs(1000),
    );
  });
});

const refused = { merchant, others: [], signature: '' };
const { text: root, textStages } = jsonSpace(
  { bytes: Buffer.from(sent), text: sent, value: JSON.parse(sent) },
  sent,
  refused,
);
const keyStages = secretStages(refused, undefined);

/** One mistake of each of some stages, in their order. */
function combination<Value>(
  stages: readonly Stage<Value>[],
  most: number,
): fc.Arbitrary<Ingredient<Value>[]> {
  const usual = stages
    .map((stage) => stage.filter(({ rarity }) => rarity === 2))
    .filter((stage) => stage.length > 0);
  return fc
    .subarray(usual, { maxLength: most })
    .chain((chosen) => fc.tuple(...chosen.map((stage) => fc.constantFrom(...stage))));
}

function made<Value>(value: Value, mistakes: readonly Ingredient<Value>[]): Value | undefined {
  return mistakes.reduce<Value | undefined>(
    (each, { apply }) => (each === undefined ? undefined : apply(each)),
    value,
  );
}

function signatureOf(draft: Draft | undefined, secret: Buffer | undefined): string | undefined {
  const signed = draft?.bytes ?? draft?.text;
  return signed === undefined || secret === undefined ? undefined : hex(signed, secret);
}

describe('a random combination of usual mistakes', () => {
  const mistakes = fc
    .tuple(combination(textStages, 2), combination(keyStages, 1))
    .filter(([texts, keys]) => texts.length + keys.length > 0);

  test('is explained by as few mistakes, none of which can be left out', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(mistakes, ([texts, keys]) => {
        const secret = Buffer.from(secretKey);
        const signature = signatureOf(made(root, texts), made(secret, keys));
        fc.pre(signature !== undefined && signature !== hex(sent));
        const { cause, compared, received } = ofPayment(signature ?? '', sent, { others: [] });
        const named = cause.split(' + ');

        expect(cause).not.toBe('secret-wrong');
        expect(named.length).toBeLessThanOrEqual(texts.length + keys.length);
        // What is shown as signed reproduces the signature, unless the secret was wrong too or cannot be shown.
        const isShown =
          compared === 'signed text' && !received.endsWith('…') && !received.includes('<secret key>');
        if (isShown && keys.length === 0 && !named.includes('body-encoding'))
          expect(hex(received)).toBe(signature);
        // Each mistake by itself leads elsewhere: none of several named ones can be left out.
        const alone = [
          ...texts.map((each) => signatureOf(made(root, [each]), secret)),
          ...keys.map((each) => signatureOf(root, made(secret, [each]))),
        ];
        if (named.length > 1) expect(alone).not.toContain(signature);
        if (alone.includes(signature)) expect(named).toHaveLength(1);
      }),
      runs(150),
    );
  });

  test('is explained whatever the way in which the signature is written', { timeout: 600_000 }, () => {
    const ways = [
      (digest: Buffer) => [digest.toString('base64'), 'digest-base64'],
      (digest: Buffer) => [digest.toString('hex').toUpperCase(), 'digest-upper-case'],
      (digest: Buffer) => [`sha256=${digest.toString('hex')}`, 'digest-prefixed'],
      (digest: Buffer) => [`"${digest.toString('hex')}"`, 'digest-quoted'],
      (digest: Buffer) => [digest.toString('hex').slice(0, 40), 'digest-truncated'],
      (digest: Buffer) => [Buffer.from(digest.toString('hex')).toString('base64'), 'digest-base64-of-hex'],
    ] as const;
    fc.assert(
      fc.property(combination(textStages, 1), fc.constantFrom(...ways), (texts, write) => {
        const signed = made(root, texts);
        fc.pre(signed !== undefined);
        const [signature = '', cause = ''] = write(hmac(signed?.bytes ?? signed?.text ?? ''));
        const diagnosis = ofPayment(signature, sent, { others: [] });
        expect(diagnosis.cause.split(' + ')).toEqual([...texts.map(({ id }) => id), cause]);
      }),
      runs(100),
    );
  });
});
