import { describe, expect, test } from 'vitest';
import * as api from '../../src/entries/index.js';
import { nextStepOf, invalidInput } from '../../src/errors/make-error.js';
import { errorTable } from '../../src/errors/error-codes.js';
import { shownStatus } from '../../src/errors/foreign-errors.js';
import {
  createMockService,
  sampleError,
  sampleInvoice,
  samplePaymentRequest,
} from '../../src/entries/mock.js';
import { allocation, demoLender, receipt } from '../helpers/lender-samples.js';
import { demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { refused, reset } from '../helpers/scripted-failures.js';
import { answering, framed, scriptedFetch } from '../helpers/scripted-fetch.js';

const { ConfigurationError, isInstallmentError, TimeoutError } = api;

const facts = {
  message: 'late',
  fields: {
    code: 'TIMEOUT',
    outcome: 'unknown',
    retryable: false,
    nextStep: 'look_up',
    action: 'Look it up.',
  },
  facts: {},
} as const;
const aTimeout = () => new TimeoutError(facts);

describe('every error class', () => {
  const classes = Object.entries(api).filter(
    ([name]) => name.endsWith('Error') && name !== 'isInstallmentError',
  );

  test('has its own name, which survives a minifier', () => {
    expect(classes).toHaveLength(32);
    for (const [name, ErrorClass] of classes) {
      const made = new (ErrorClass as typeof TimeoutError)(facts);
      expect([made.name, made.constructor.name]).toEqual([name, name]);
      expect(String(made)).toMatch(new RegExp(`^${name}: `));
      for (const [other, Other] of classes) {
        const isAbove = Object.getPrototypeOf(ErrorClass) === Other || name === other;
        if (isAbove) expect(made).toBeInstanceOf(Other as typeof TimeoutError);
      }
    }
  });

  test.each(Object.entries(errorTable))('is made for its code: %s', (code, { type }) => {
    const error = sampleError(code as api.InstallmentErrorCode);
    expect(error.code).toBe(code);
    expect(error.constructor).toBe(type);
    expect(error).toBeInstanceOf(type);
    expect(error).not.toBeInstanceOf(ConfigurationError);
  });

  test('has empty texts of the service if a different copy of the package made it', () => {
    expect(new api.UnknownResultError(facts)).toMatchObject({ resultMsg: '', resultStatus: '' });
    expect(new api.UnexpectedResponseError(facts).bodyText).toBe('');
  });

  test('has a cause and retryAfterMs only if they are known', () => {
    expect(Object.keys(Object.getOwnPropertyDescriptors(aTimeout()))).not.toContain('cause');
    expect(aTimeout()).not.toHaveProperty('retryAfterMs');
  });
});

describe('the next step', () => {
  type Known = Parameters<typeof nextStepOf>;
  const after = (outcome: Known[0], retryable: boolean, changes: Partial<Known[2]> = {}) =>
    nextStepOf(outcome, retryable, { mayHaveBeenSent: false, policy: 'idempotent', ...changes });

  test.each([
    ['not_sent', false, 'fix', 'look_up'],
    ['not_sent', true, 'call_again', 'repeat'],
    ['rejected', false, 'refused', 'look_up'],
    ['rejected', true, 'call_again', 'repeat'],
    ['unknown', true, 'repeat', 'repeat'],
    ['unknown', false, 'look_up', 'look_up'],
  ] as const)(
    'after %s, retryable %s, is %s; with mayHaveBeenSent it is %s',
    (outcome, retryable, step, again) => {
      expect(after(outcome, retryable)).toBe(step);
      expect(after(outcome, retryable, { mayHaveBeenSent: true })).toBe(again);
    },
  );

  test('is never to repeat an operation that is sent once', () => {
    expect(after('not_sent', true, { policy: 'once' })).toBe('call_again');
    expect(after('not_sent', true, { policy: 'once', mayHaveBeenSent: true })).toBe('look_up');
  });

  test('is about the order, after an input error or a hook error of a repeat', async () => {
    const beforeSend = () => Promise.reject(new Error('no row'));
    const options = { mayHaveBeenSent: true };
    const { fetch } = answering({});
    const refused = demoClient({ fetch }).initiatePayment(paymentRequest({ items: [] }), options);
    expect(await rejection(refused)).toMatchObject({
      code: 'VALIDATION',
      outcome: 'not_sent',
      nextStep: 'look_up',
      message: expect.stringContaining(
        'initiatePayment: items: must be an array of 1 to 200 items. This call sent nothing, but the service may ' +
          'have acted on an earlier call. Look the payment up',
      ) as string,
    });
    const hooked = demoClient({ fetch, hooks: { beforeSend } }).initiatePayment(paymentRequest(), options);
    expect(await rejection(hooked)).toMatchObject({ code: 'HOOK', outcome: 'not_sent', nextStep: 'repeat' });
  });
});

describe('a ValidationError', () => {
  const issue = (...path: string[]) =>
    ({ path, message: 'is wrong', resultStatus: 'INVALID_REQUEST' }) as const;
  const messageFor = (issues: ReturnType<typeof issue>[]) =>
    invalidInput(issues, { operation: 'uploadInvoice' }).message;

  test('names every broken rule, up to ten of them', () => {
    const many = Array.from({ length: 12 }, (_, index) => issue(`field${String(index)}`));
    const ten = many
      .slice(0, 10)
      .map(({ path }) => `${String(path[0])}: is wrong`)
      .join('; ');
    expect(messageFor(many.slice(0, 10))).toBe(`uploadInvoice: this call sent nothing. ${ten}`);
    expect(messageFor(many)).toBe(
      `uploadInvoice: this call sent nothing. ${ten}; and 2 more, see error.issues`,
    );
  });

  test('names the request itself if the path is empty', () => {
    expect(messageFor([issue()])).toBe('uploadInvoice: this call sent nothing. the request: is wrong');
  });
});

describe('the error of a documented status', () => {
  test('contains the meaning of the status and the action', () => {
    const error = sampleError('LIMIT_EXCEEDED', { resultMsg: 'Too many.' });
    expect(error.message).toBe(
      'uploadInvoice ORDER:2026-0001: LIMIT_EXCEEDED. The referenceId has 3 invoices already. ' +
        'Remove an invoice through the portal or support, or skip this invoice. ' +
        "error.resultMsg contains the service's own text.",
    );
    expect(sampleError('LIMIT_EXCEEDED').message).toMatch(/or skip this invoice\.$/);
    expect(error).toMatchObject({
      action: 'Remove an invoice through the portal or support, or skip this invoice.',
      resultMsg: 'Too many.',
      httpStatus: 200,
      nextStep: 'refused',
    });
    expect(JSON.stringify(error)).not.toContain('Too many.');
  });

  test('says what to check after an upload before the payment, and where the text of the service is', async () => {
    const mock = createMockService();
    const client = new api.InstallmentClient(mock.clientOptions());
    await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
    const error = await rejection(client.uploadInvoice(sampleInvoice({ referenceId: 'ORDER-1' })));
    if (!(error instanceof api.InvalidReferenceIdError)) throw error;
    expect(error.resultMsg).toMatch(/^The payment is pending/);
    expect(error.message).not.toContain('pending');
    expect(error.message).toMatch(
      /Check the referenceId, .* payment is confirmed; .*\. error\.resultMsg contains the service's own text\.$/,
    );
  });

  test('warns after an earlier attempt, since the usual action could charge twice', () => {
    const error = sampleError('DUPLICATE_REFERENCE_ID', { mayHaveActedBefore: true });
    expect(error.action).toBe(
      'The service may have acted on an earlier attempt. Look the payment up, or ask the provider. Do not create ' +
        'another payment for this order before the outcome is known.',
    );
    expect(error.probablyAccepted).toBe(true);
    expect(sampleError('DUPLICATE_REFERENCE_ID')).toMatchObject({
      outcome: 'unknown',
      probablyAccepted: false,
    });
  });

  test('never claims more of the outcome than its code proves', () => {
    expect(sampleError('DUPLICATE_REFERENCE_ID', { outcome: 'rejected' }).outcome).toBe('unknown');
    expect(sampleError('INVALID_AMOUNT', { outcome: 'not_sent' }).outcome).toBe('rejected');
  });
});

describe('the error of an undocumented status', () => {
  test('shows the status if it is a simple word, and tells the merchant to find out', () => {
    const error = sampleError('UNKNOWN_RESULT', { resultStatus: 'SETTLED' });
    expect(error.resultStatus).toBe('SETTLED');
    expect(error.message).toBe(
      'initiatePayment ORDER:2026-0001: the result status (SETTLED) is not documented. ' +
        'Ask the provider what this status means before you continue or cancel the order.',
    );
  });

  test.each([
    [`A${'_'.repeat(59)}`, true],
    [`A${'_'.repeat(60)}`, false],
    ['a-B', true],
    ['_A', false],
    ['A1', false],
    ['', false],
    ['1 APPROVED', false],
    ['APPROVED 1', false],
  ])('shows the status %j: %s', (status, isShown) => {
    expect(shownStatus(status)).toBe(isShown ? status : undefined);
  });
});

describe('the advice of a message', () => {
  test.each<readonly [string, (fetch: api.Fetch) => Promise<unknown>, string]>([
    [
      'an upload',
      (fetch) => demoClient({ fetch }).uploadInvoice(invoiceUpload()),
      'uploadInvoice ORDER:2026-0001 (POST pay.example/v2/payments/upload-invoice): connection failed (ECONNRESET). ' +
        'The service may have acted. Look the invoice up before you upload it again: ' +
        'a referenceId can have 3 invoices at most.',
    ],
    [
      'a receipt',
      (fetch) => demoLender({ fetch, maxRetries: 0 }).notifyPaymentReceipt(receipt()),
      'connection failed (ECONNRESET). The service may have acted. Send the same request again, with ' +
        'mayHaveBeenSent: true. If the outcome is still unknown after a few retries, ask the provider. The ' +
        'specification does not say what the service does with a repeated idempotency key.',
    ],
    [
      'an allocation',
      (fetch) => demoLender({ fetch }).notifyRepaymentAllocation(allocation()),
      'connection failed (ECONNRESET). The service may have acted. Ask the provider before you send the allocation ' +
        'again: no idempotency key is documented for it.',
    ],
    [
      'a call of your own',
      (fetch) => demoClient({ fetch }).post('/v2/payments/status', {}),
      'post (POST pay.example/v2/payments/status): connection failed (ECONNRESET). The service may have acted. ' +
        'Before you send the request again, find out whether the service has acted.',
    ],
  ])('says how to find out, after %s with an unknown outcome', async (_name, call, message) => {
    expect(((await rejection(call(scriptedFetch(reset).fetch))) as Error).message).toContain(message);
  });

  test.each<[string, (fetch: api.Fetch) => Promise<unknown>, string]>([
    [
      'a payment',
      (fetch) => demoClient({ fetch, maxRetries: 0 }).initiatePayment(paymentRequest()),
      '; pass mayHaveBeenSent: true if the outcome of an earlier call is unknown.',
    ],
    [
      'an upload',
      (fetch) => demoClient({ fetch, maxRetries: 0 }).uploadInvoice(invoiceUpload()),
      ', unless the outcome of an earlier call is unknown.',
    ],
  ])(
    'says that calling again is safe after %s that was not sent, unless an earlier call was',
    async (_name, call, condition) => {
      const error = await rejection(call(scriptedFetch(refused).fetch));
      const advice = `. This call sent nothing, so it is safe to call again${condition}`;
      expect((error as Error).message).toContain(advice);
    },
  );

  test('says what to fix, after a failure before sending that would come again', async () => {
    const expired = () => Promise.reject(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }));
    const error = await rejection(demoClient({ fetch: expired }).initiatePayment(paymentRequest()));
    expect((error as Error).message).toMatch(
      /\. This call sent nothing\. A retry will not help until the cause is fixed\. .*, the TLS version or a proxy\.$/,
    );
  });

  test.each<[string, number, Record<string, string>, RegExp]>([
    [
      'a page of a firewall',
      404,
      {},
      / \(HTTP 404; error\.bodyText shows who responded\)\. The request was refused\.$/,
    ],
    ['a 429', 429, {}, /\. The request was refused for now: call again later\.$/],
    [
      'a 429 with a wait',
      429,
      { 'Retry-After': '120' },
      /\. The request was refused for now: call again in 120 s or later\.$/,
    ],
  ])('says what a refusal means: %s', async (_name, status, headers, message) => {
    const { fetch } = scriptedFetch(() => framed('<html>', { status, headers }));
    const refused = await rejection(demoClient({ fetch, maxRetries: 0 }).uploadInvoice(invoiceUpload()));
    expect((refused as Error).message).toMatch(message);
  });

  test('names what was signed: the body of a payment, the canonical string of an upload', async () => {
    const { fetch } = scriptedFetch(() => Response.json({ resultStatus: 'INVALID_SIGNATURE' }));
    const client = demoClient({ fetch });
    expect(await rejection(client.initiatePayment(paymentRequest()))).toMatchObject({
      action: expect.stringContaining('with the correct secret key and request body:') as string,
    });
    expect(await rejection(client.uploadInvoice(invoiceUpload()))).toMatchObject({
      action: expect.stringContaining('over the canonical string of the text fields:') as string,
    });
  });
});

describe('an error of a call', () => {
  const failing = scriptedFetch(() => {
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    });
  });

  test('names the call, the problem and the next step', async () => {
    const error = await rejection(demoClient({ fetch: failing.fetch }).initiatePayment(paymentRequest()));
    expect(error).toMatchObject({
      message:
        'initiatePayment ORDER:2026-0001 (POST pay.example/v2/payments) failed after 3 attempts: connection failed ' +
        '(ECONNRESET). The service may have acted on an earlier attempt. Send the same request again, with ' +
        'mayHaveBeenSent: true. If the outcome is still unknown after a few retries, ask the provider. The ' +
        'specification does not say what the service does with a repeated idempotency key. Do not create another payment ' +
        'for this order before the outcome is known.',
      operation: 'initiatePayment',
      referenceId: 'ORDER:2026-0001',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      nextStep: 'repeat',
      cause: {
        name: 'TypeError',
        message: 'fetch failed',
        cause: { message: 'read ECONNRESET', code: 'ECONNRESET', syscall: 'read' },
      },
    });
  });
});

describe('an unexpected response', () => {
  const unusable = async (body: string | Uint8Array<ArrayBuffer>, status = 200) =>
    (await rejection(
      demoClient({
        fetch: scriptedFetch(() => framed(body, { status })).fetch,
        maxRetries: 0,
      }).initiatePayment(paymentRequest()),
    )) as api.UnexpectedResponseError;

  test('contains up to 2 KiB of text in bodyText, and nowhere else', async () => {
    const error = await unusable(`<html>${'ế'.repeat(2_000)}`, 502);
    expect(error).toBeInstanceOf(api.UnexpectedResponseError);
    expect(error.message).toContain('HTTP 502');
    expect(error.bodyText.startsWith('<html>ế')).toBe(true);
    expect(Buffer.byteLength(error.bodyText)).toBeLessThanOrEqual(2_050);
    expect(JSON.stringify(error)).not.toContain('html');
    expect(Object.keys(error)).not.toContain('bodyText');
  });
});

describe('isInstallmentError', () => {
  test('is true for every error of the table, and for a ConfigurationError', () => {
    for (const code of ['CONFIGURATION', ...Object.keys(errorTable)] as api.InstallmentErrorCode[])
      expect(isInstallmentError(sampleError(code))).toBe(true);
  });

  test.each([undefined, new Error('late'), { name: 'TimeoutError', code: 'TIMEOUT' }])(
    'is false for %j',
    (value) => {
      expect(isInstallmentError(value)).toBe(false);
    },
  );
});
