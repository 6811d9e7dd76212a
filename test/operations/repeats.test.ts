import { describe, expect, test } from 'vitest';
import { errorTable } from '../../src/errors/error-codes.js';
import { isErrorStatus } from '../../src/protocol/result-statuses.js';
import { isInstallmentError, type AnyInstallmentError, type Fetch } from '../../src/entries/index.js';
import type { CallOptions } from '../../src/options/call-options.js';
import { manualRuntime, settle, type ManualRuntime } from '../helpers/runtime.js';
import { allocation, demoLender, receipt } from '../helpers/lender-samples.js';
import { demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { badCertificate, http, refused, reset } from '../helpers/scripted-failures.js';
import { scriptedFetch, type FetchScript } from '../helpers/scripted-fetch.js';

const html = (status: number) => http(status, '<html>');
const json = (body: object): FetchScript => {
  return () => Response.json(body);
};

const duplicate = 'DUPLICATE_REFERENCE_ID';
const statuses = [...Object.keys(errorTable).filter(isErrorStatus), 'SETTLED'];
/** The way in which the last attempt of a call ends. */
type Ending = readonly [name: string, script: FetchScript];
const endings: readonly Ending[] = [
  ['a refused connection', refused],
  ['a reset', reset],
  ['a bad certificate', badCertificate],
  ['HTTP 403', html(403)],
  ['HTTP 409', html(409)],
  ['HTTP 429', html(429)],
  ['HTTP 503', html(503)],
  ['a redirect', () => new Response(null, { status: 307, headers: { location: '/elsewhere' } })],
];
/** The way in which the last attempt ends, if the responses have a result status. */
const merchantEndings: readonly Ending[] = [
  ...endings,
  ...statuses.map((resultStatus): Ending => [resultStatus, json({ resultStatus })]),
  ['no resultStatus', json({})],
  ['APPROVED for another reference', json({ resultStatus: 'APPROVED', referenceId: 'ANOTHER' })],
];
/** The way in which the attempts before the last one end, and whether the service may have acted on one of them. */
const histories: readonly (readonly [FetchScript[], isUnknown: boolean])[] = [
  [[], false],
  [[html(429)], false],
  [[refused], false],
  [[reset, refused], true],
];

type Options = Pick<CallOptions, 'mayHaveBeenSent' | 'repeatUnknown' | 'maxRetries'>;
interface Operation {
  /** Whether the service recognises a repeat. */
  readonly isRepeated: boolean;
  /** The possible ends of its last attempt. */
  readonly endings: readonly Ending[];
  readonly call: (fetch: Fetch, options: Options) => Promise<unknown>;
}
const operations: Readonly<Record<string, Operation>> = {
  initiatePayment: {
    isRepeated: true,
    endings: merchantEndings,
    call: (fetch, options) => demoClient({ fetch }).initiatePayment(paymentRequest(), options),
  },
  uploadInvoice: {
    isRepeated: false,
    endings: merchantEndings,
    call: (fetch, options) => demoClient({ fetch }).uploadInvoice(invoiceUpload(), options),
  },
  'post once': {
    isRepeated: false,
    endings,
    call: (fetch, options) => demoClient({ fetch }).post('/v2/x', {}, options),
  },
  'post idempotent': {
    isRepeated: true,
    endings,
    call: (fetch, options) => demoClient({ fetch }).post('/v2/x', {}, { ...options, policy: 'idempotent' }),
  },
  paymentReceipt: {
    isRepeated: true,
    endings,
    call: (fetch, options) => demoLender({ fetch }).notifyPaymentReceipt(receipt(), options),
  },
  repaymentAllocation: {
    isRepeated: false,
    endings,
    call: (fetch, options) => demoLender({ fetch }).notifyRepaymentAllocation(allocation(), options),
  },
};

const adviceToRepeat = /again(?: later)?, with mayHaveBeenSent: true/;
const adviceToAsk = /look .*up|ask the provider|contact support|find out whether the service has/i;
/** Advice that can lead to a second payment, notification or invoice. */
const adviceToChange = new RegExp(
  [
    '(use|take|with) (another|a valid) referenceId|correct|fix|(lower|raise|check) the amount|use an? |use the ',
    'check that the secret key|safe to call again|refused the request',
  ].join('|'),
  'i',
);
const condition = ' Use another referenceId only if that payment was not created for this order.';

/** Every rule about an error and its advice. */
function expectHonest(
  error: AnyInstallmentError,
  about: {
    readonly wasUnknown: boolean;
    readonly mayRepeat: boolean;
    readonly name: string;
  },
): void {
  const { wasUnknown, mayRepeat, name } = about;
  const advice = [error.action, error.message];
  if (wasUnknown) expect(error.outcome).toBe('unknown');
  if (error.code === duplicate) {
    expect(error).toMatchObject({ outcome: 'unknown', probablyAccepted: wasUnknown, retryable: false });
  }
  if (error.outcome !== 'unknown') return;
  if (!mayRepeat) expect(error.retryable).toBe(false);
  for (const text of advice) {
    // The only condition under which a duplicate belongs to a different order; never if this order was sent before.
    const isConditional = error.code === duplicate && name === 'initiatePayment' && !wasUnknown;
    expect(isConditional ? text.replace(condition, '') : text).not.toMatch(adviceToChange);
    expect(adviceToRepeat.test(text)).toBe(error.retryable);
    expect(text).toMatch(adviceToAsk);
  }
}

describe.each(Object.entries(operations))(
  'after every ending and history, an error of %s',
  (name, operation) => {
    test.each([undefined, true])(
      'has the right outcome with mayHaveBeenSent: %s',
      async (mayHaveBeenSent) => {
        for (const repeatUnknown of [true, false]) {
          for (const [ending, script] of operation.endings) {
            for (const [before, isUnknown] of histories) {
              const options = { mayHaveBeenSent, repeatUnknown, maxRetries: before.length };
              const scripts = [...before, script];
              const { fetch, requests } = scriptedFetch((request, index) =>
                (scripts[index] ?? script)(request, index),
              );
              const mayRepeat = operation.isRepeated && repeatUnknown;
              // Such a history is impossible if nothing is repeated after an unknown outcome.
              if (isUnknown && !mayRepeat) continue;
              const error = await rejection(operation.call(fetch, options));
              if (!isInstallmentError(error)) throw new Error(`after ${ending}`, { cause: error });
              expect(requests, ending).toHaveLength(scripts.length);
              const wasUnknown = isUnknown || mayHaveBeenSent === true;
              expectHonest(error, { wasUnknown, mayRepeat, name });
            }
          }
        }
      },
    );
  },
);

describe('mayHaveBeenSent: true', () => {
  const before = { mayHaveBeenSent: true };

  test('does not affect a call that is accepted', async () => {
    const { fetch } = scriptedFetch(
      json({ resultStatus: 'APPROVED', referenceId: 'ORDER:2026-0001', paymentUrl: 'https://pay.example/1' }),
    );
    await expect(
      demoClient({ fetch }).initiatePayment(paymentRequest(), { mayHaveBeenSent: true }),
    ).resolves.toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('keeps not_sent for invalid input and hooks that reject, because that is about this call', async () => {
    const broken = demoClient().initiatePayment({ ...paymentRequest(), referenceId: 'a b' }, before);
    expect(await rejection(broken)).toMatchObject({ code: 'VALIDATION', outcome: 'not_sent' });
    const hooks = { beforeSend: () => Promise.reject(new Error('not stored')) };
    const hooked = demoClient({ hooks }).initiatePayment(paymentRequest(), before);
    expect(await rejection(hooked)).toMatchObject({ code: 'HOOK', outcome: 'not_sent' });
  });

  test.each<readonly [string, string, (runtime: ManualRuntime) => Promise<unknown>]>([
    [
      'an abort before the first byte',
      'ABORTED',
      () => demoClient().initiatePayment(paymentRequest(), { ...before, signal: AbortSignal.abort() }),
    ],
    [
      'an abort while the file is read',
      'ABORTED',
      () =>
        demoClient().uploadInvoice(
          invoiceUpload({ file: { data: new ReadableStream(), filename: 'a.pdf' } }),
          { ...before, signal: AbortSignal.abort() },
        ),
    ],
    [
      'a time-out while the hook works',
      'TIMEOUT',
      (runtime) => {
        const hooks = { beforeSend: () => new Promise<void>(() => undefined) };
        const call = demoClient({ hooks }, runtime).initiatePayment(paymentRequest(), before);
        void settle().then(() => {
          runtime.advance(45_000);
        });
        return call;
      },
    ],
  ])('makes %s unknown', async (_name, code, call) => {
    expect(await rejection(call(manualRuntime()))).toMatchObject({ code, outcome: 'unknown' });
  });
});
