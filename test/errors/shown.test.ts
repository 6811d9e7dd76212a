import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import {
  InstallmentClient,
  isInstallmentError,
  signInvoice,
  signPayment,
  type AnyInstallmentError,
  type InstallmentClientOptions,
  type Logger,
} from '../../src/entries/index.js';
import { demoLender, receipt } from '../helpers/lender-samples.js';
import { knownSecrets } from '../helpers/request-watch.js';
import { instantRuntime, settle } from '../helpers/runtime.js';
import {
  approvedInvoice,
  approvedPayment,
  demo,
  files,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import {
  answering,
  scriptedFetch,
  framed,
  sentBytes,
  type FetchScript,
  type ScriptedFetch,
} from '../helpers/scripted-fetch.js';

// Each of them is found anywhere in a text: unlike words, none of them can be there by chance.
const secret = 'CANARY-secret-5d1f';
for (const each of [secret, secret.replaceAll('-', '_'), 'another-secret']) knownSecrets.add(each);
const phoneNumber = '0900111222333';
const email = 'canary.9b7e@example.com';
const lastName = 'CanaryNguyễn';
const street = 'Canary street 77';
const fileCanary = 'CANARY-file-c0ffee';
const headerCanary = 'CANARY-header-1234';
const file = Buffer.concat([files.pdf, Buffer.from(fileCanary)]);

const payment = paymentRequest({
  customer: { phoneNumber, email, firstName: 'An', lastName },
  shipping: { ...paymentRequest().shipping, street },
});
const upload = invoiceUpload({ file, fileUrl: 'https://files.example/a.pdf' });
const uploadSignature = signInvoice(
  { merchantId: demo.merchantId, storeId: demo.storeId, referenceId: 'ORDER:2026-0001' },
  secret,
);

interface Watched {
  readonly client: InstallmentClient;
  /** Everything that was passed to the logger. */
  readonly log: unknown[];
}

function watched(fetch: ScriptedFetch['fetch'], options: Partial<InstallmentClientOptions> = {}): Watched {
  const log: unknown[] = [];
  const write = (...given: unknown[]) => void log.push(given);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const all = {
    ...demo,
    secretKey: secret,
    headers: { Authorization: headerCanary },
    fetch,
    logger,
    logLevel: 'debug',
    ...options,
  } as const;
  return { client: new InstallmentClient(all, instantRuntime()), log };
}

/** Every way to print a value. */
function printed(value: unknown): string {
  const shown = [
    inspect(value, { depth: Infinity, getters: true }),
    // Hidden properties too, but not what the accessor of responseHeaders returns.
    inspect(value, { depth: Infinity, showHidden: true }),
    inspect(value),
    String(value),
    JSON.stringify(value),
  ];
  for (let link: unknown = value; link instanceof Error; link = link.cause) {
    shown.push(link.message, link.stack ?? '', JSON.stringify(Object.getOwnPropertyDescriptors(link)));
  }
  return shown.join('\n');
}

/** The signatures of the requests that were sent, in both spellings. */
async function signaturesOf({ requests }: ScriptedFetch): Promise<string[]> {
  const bodies = await Promise.all(requests.map(sentBytes));
  const hex = [uploadSignature, ...bodies.map((body) => signPayment(body, secret))];
  return hex.flatMap((signature) => [signature, Buffer.from(signature, 'hex').toString('base64')]);
}

async function expectSilence(values: readonly unknown[], fetched: ScriptedFetch): Promise<void> {
  const text = values.map(printed).join('\n');
  const canaries = [
    secret,
    phoneNumber,
    email,
    lastName,
    street,
    fileCanary,
    headerCanary,
    ...(await signaturesOf(fetched)),
  ];
  for (const canary of canaries) {
    expect(text.includes(canary), `${canary} shows`).toBe(false);
    expect(text.includes(Buffer.from(canary).toString('base64')), `${canary} shows in base64`).toBe(false);
    expect(text.includes(Buffer.from(canary).toString('hex')), `${canary} shows in hex`).toBe(false);
  }
}

/** The response of a hostile service, or of a proxy that is too helpful: everything that was sent to it. */
const echo: FetchScript = async (request) => {
  const body = (await sentBytes(request)).toString('latin1');
  const all = `${body} ${JSON.stringify([...request.headers])} ${secret}`;
  const headers = { 'X-Echo': request.headers.get('signature') ?? secret, 'X-Secret': secret };
  return new Response(all, { status: 502, statusText: secret, headers });
};

const quoting =
  (resultStatus: string): FetchScript =>
  async (request) => {
    const sent = (await sentBytes(request)).toString();
    const signature = request.headers.get('signature') ?? '';
    const quoted = `${phoneNumber} ${email} ${secret} ${sent} ${signature}`;
    return Response.json({ resultStatus, resultMsg: quoted, debug: quoted, [quoted]: quoted });
  };

/** A transport whose error contains the whole request, as in some HTTP clients. */
const leaking: FetchScript = async (request) => {
  const { init, headers } = request;
  const cause = Object.assign(new Error('read ECONNRESET'), {
    code: 'ECONNRESET',
    syscall: 'read',
    request: init,
    config: { headers: [...headers] },
  });
  throw Object.assign(new TypeError('fetch failed', { cause }), {
    options: init,
    body: (await sentBytes(request)).toString(),
  });
};

const hang: FetchScript = () => new Promise(() => undefined);

const answers: readonly (readonly [name: string, script: FetchScript, code: string])[] = [
  ['an echo of the request under 502', echo, 'UNEXPECTED_RESPONSE'],
  ['a refusal that quotes the request', quoting('PHONE_NUMBER_INVALID'), 'PHONE_NUMBER_INVALID'],
  ['an undocumented status that quotes the request', quoting('SETTLED'), 'UNKNOWN_RESULT'],
  ['a transport whose error tells all', leaking, 'CONNECTION'],
  [
    'a redirect to an address with secrets',
    () =>
      new Response(null, {
        status: 307,
        headers: { location: `https://evil.example/?${secret}${phoneNumber}` },
      }),
    'UNEXPECTED_RESPONSE',
  ],
  [
    'a Retry-After that quotes a secret',
    () => framed(secret, { status: 429, headers: { 'retry-after': secret } }),
    'UNEXPECTED_RESPONSE',
  ],
];

describe('secrets and customer data are not shown', () => {
  test('a client shows no secret', async () => {
    const fetched = answering(approvedPayment());
    const { client } = watched(fetched.fetch);
    await client.initiatePayment(payment);
    await expectSilence([client], fetched);
  });

  test.each(answers)('%s shows none, for both operations', async (_name, script, code) => {
    for (const operation of ['initiatePayment', 'uploadInvoice'] as const) {
      const fetched = scriptedFetch(script);
      const { client, log } = watched(fetched.fetch);
      const error = await rejection(
        operation === 'initiatePayment' ? client.initiatePayment(payment) : client.uploadInvoice(upload),
      );
      if (!isInstallmentError(error)) throw error;
      expect(error.code).toBe(code);
      expect(log.length).toBeGreaterThan(1);
      await expectSilence([error, error.$metadata, log, client], fetched);
    }
  });

  test('a time-out, an abort, and a result with its $metadata show no secret', async () => {
    const hanging = scriptedFetch(hang);
    const stop = new AbortController();
    const { client, log } = watched(hanging.fetch, { attemptTimeoutMs: 10_000 });
    const aborted = rejection(client.initiatePayment(payment, { signal: stop.signal }));
    await settle();
    stop.abort();
    const timedOut = await rejection(client.initiatePayment(payment));
    await expectSilence([await aborted, timedOut, log], hanging);

    const fetched = answering(approvedInvoice());
    const happy = watched(fetched.fetch);
    const invoice = await happy.client.uploadInvoice(upload);
    await expectSilence([invoice, invoice.$metadata, happy.log], fetched);
  });

  test('a ValidationError shows no secret, whichever value breaks the rule', async () => {
    const fetched = answering({});
    const { client, log } = watched(fetched.fetch);
    const bad = {
      ...payment,
      customer: {
        phoneNumber: `${phoneNumber}x`,
        email: `${email}@`,
        firstName: 'An',
        lastName,
        dateOfBirth: phoneNumber,
      },
      shipping: { ...payment.shipping, country: street as 'VN' },
      extraData: `${secret}\ud800`,
    };
    const errors = [
      await rejection(client.initiatePayment(bad)),
      await rejection(client.uploadInvoice({ ...upload, extraData: `{${secret}`, invoiceDate: phoneNumber })),
      await rejection(client.uploadInvoice({ ...upload, file: Buffer.from(fileCanary) })),
      await rejection(client.uploadInvoice({ ...upload, file: { data: file, filename: 'a.png' } })),
      await rejection(client.initiatePayment(payment, { idempotencyKey: ` ${secret}` })),
    ];
    for (const error of errors) expect(error).toHaveProperty('code', 'VALIDATION');
    await expectSilence([errors, ...errors, log], fetched);
  });

  test('a ConfigurationError shows no secret', async () => {
    const fetched = answering({});
    const make = (options: object) => {
      try {
        new InstallmentClient({ ...demo, ...options });
      } catch (error) {
        return error;
      }
      throw new Error('expected a ConfigurationError');
    };
    const errors = [
      make({ secretKey: `${secret} ` }),
      make({ baseUrl: `https://user:${secret}@pay.example` }),
      make({ headers: { Authorization: `${headerCanary}\n` } }),
      make({ clientId: `${secret}\r\n` }),
      make({ now: () => secret }),
    ];
    await expectSilence(errors, fetched);
  });

  test("a lender's client and its errors show no secret", async () => {
    const fetched = scriptedFetch(async (request) =>
      framed(`${headerCanary} ${(await sentBytes(request)).toString()}`, { status: 400 }),
    );
    const lender = demoLender({ fetch: fetched.fetch, headers: () => ({ Authorization: headerCanary }) });
    const error = await rejection(lender.notifyPaymentReceipt(receipt()));
    expect(error).toHaveProperty('code', 'NOTIFICATION_REJECTED');
    await expectSilence([lender, error], fetched);
  });
});

describe('a value that a function of the caller threw', () => {
  // Seven thousand digits, and a code, which no text of this package repeats.
  const thrown = Object.assign(new Error('0912345678 '.repeat(700)), { code: 'p-2002', detail: secret });
  const failing = () => Promise.reject(thrown);
  const stop = AbortSignal.abort(thrown);
  async function* stream(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    yield file;
    throw thrown;
  }

  test.each<[string, (client: (options: object) => Watched) => [Watched, Promise<unknown>]]>([
    [
      'beforeSend',
      (make) => {
        const made = make({ hooks: { beforeSend: failing } });
        return [made, made.client.initiatePayment(payment)];
      },
    ],
    [
      'secretKey',
      (make) => {
        const made = make({ secretKey: failing });
        return [made, made.client.initiatePayment(payment)];
      },
    ],
    [
      'a stream',
      (make) => {
        const made = make({});
        return [made, made.client.uploadInvoice({ ...upload, file: stream() })];
      },
    ],
    [
      'the reason of a signal',
      (make) => {
        const made = make({});
        return [made, made.client.initiatePayment(payment, { signal: stop })];
      },
    ],
  ])('is the cause, untouched, and does not appear in messages, logs or JSON: %s', async (_name, call) => {
    const [{ log }, result] = call((options) => watched(answering({}).fetch, options));
    const error = (await rejection(result)) as AnyInstallmentError;
    expect(error.cause).toBe(thrown);
    expect(error.toJSON().cause).toEqual({ name: 'Error', code: 'p-2002' });
    const ours = error.message + JSON.stringify([error, log]);
    expect(ours).not.toMatch(/0912345678|CANARY/);
  });

  test('does not appear in JSON if it is not an error', async () => {
    const text: unknown = 'no row';
    const { client } = watched(answering({}).fetch, {
      hooks: {
        beforeSend: vi.fn().mockRejectedValue(text),
      },
    });
    const error = (await rejection(client.initiatePayment(payment))) as AnyInstallmentError;
    expect(error.cause).toBe('no row');
    expect(error.toJSON()).not.toHaveProperty('cause');
  });
});
