import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import {
  InstallmentClient,
  isInstallmentError,
  signInvoice,
  signPayment,
  type AnyInstallmentError,
  type InstallmentClientOptions,
  type Logger,
} from '../../src/index.js';
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

// Each is found wherever it stands: unlike words, none of them could be there by chance.
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

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'canary-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Watched {
  readonly client: InstallmentClient;
  /** Everything that the logger was given. */
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

/** Everything that anybody could print of a value. */
function printed(value: unknown): string {
  const shown = [
    inspect(value, { depth: Infinity, showHidden: true, getters: false }),
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

/** The answer of a hostile service, or of a proxy that is too helpful: everything that it was sent. */
const echo: FetchScript = async (request) => {
  const body = (await sentBytes(request)).toString('latin1');
  return new Response(`${body} ${JSON.stringify([...request.headers])} ${secret}`, { status: 502 });
};

const quoting =
  (resultStatus: string): FetchScript =>
  async (request) => {
    const quoted = `${phoneNumber} ${email} ${secret} ${(await sentBytes(request)).toString()} ${request.headers.get('signature') ?? ''}`;
    return Response.json({ resultStatus, resultMsg: quoted, debug: quoted, [quoted]: quoted });
  };

/** A transport whose error carries all it knows, as HTTP clients like to. */
const leaking: FetchScript = async (request) => {
  const { init, headers } = request;
  const said = `${secret} ${phoneNumber} ${headers.get('signature') ?? ''}`;
  const cause = Object.assign(new Error(said), {
    code: 'ECONNRESET',
    syscall: 'read',
    request: init,
    config: { headers: [...headers] },
  });
  throw Object.assign(new TypeError(said, { cause }), {
    name: said,
    options: init,
    body: (await sentBytes(request)).toString(),
  });
};

const hang: FetchScript = () => new Promise(() => undefined);

const answers: readonly (readonly [name: string, script: FetchScript, code: string])[] = [
  ['an echo of the request under 502', echo, 'UNEXPECTED_RESPONSE'],
  ['a refusal that quotes the request', quoting('PHONE_NUMBER_INVALID'), 'PHONE_NUMBER_INVALID'],
  ['a duplicate that quotes the request', quoting('DUPLICATE_REFERENCE_ID'), 'DUPLICATE_REFERENCE_ID'],
  ['an undocumented status that quotes the request', quoting('SETTLED'), 'UNKNOWN_RESULT'],
  [
    'a status that is itself a quotation',
    (request, index) => quoting(`${secret} ${phoneNumber}`)(request, index),
    'UNKNOWN_RESULT',
  ],
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

describe('secrets and personal data are not shown', () => {
  it('in a client', async () => {
    const fetched = answering(approvedPayment());
    const { client } = watched(fetched.fetch);
    await client.initiatePayment(payment);
    await expectSilence([client], fetched);
  });

  it.each(answers)('after %s, of either operation', async (_name, script, code) => {
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

  it('in a time-out, an abort, or a result and its $metadata', async () => {
    const hanging = scriptedFetch(hang);
    const stop = new AbortController();
    const { client, log } = watched(hanging.fetch, { attemptTimeoutMs: 10_000 });
    const aborted = rejection(client.initiatePayment(payment, { signal: stop.signal }));
    await settle();
    stop.abort(new Error(`${secret} ${phoneNumber}`));
    const timedOut = await rejection(client.initiatePayment(payment));
    await expectSilence([await aborted, timedOut, log], hanging);

    const fetched = answering(approvedInvoice());
    const happy = watched(fetched.fetch);
    const invoice = await happy.client.uploadInvoice(upload);
    await expectSilence([invoice, invoice.$metadata, happy.log], fetched);
  });

  it('in a ValidationError, whichever value broke the rule', async () => {
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

  it('in a ValidationError whose stream or disk quotes the secret', async () => {
    const fetched = answering({});
    const { client, log } = watched(fetched.fetch);
    async function* failing(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield file;
      throw Object.assign(new Error(`cannot decrypt with ${secret}`), { key: secret, chunk: file });
    }
    const path = join(folder, `${secret}.pdf`);
    writeFileSync(join(folder, 'a.pdf'), file);
    const errors = [
      await rejection(client.uploadInvoice({ ...upload, file: failing() })),
      await rejection(client.uploadInvoice({ ...upload, file: { path } })),
    ];
    expect(printed(errors[0])).toContain('cannot decrypt with [redacted]');
    await expectSilence([...errors, log], fetched);
  });

  it.each(['rejects', 'throws'])('in a HookError whose hook %s with a quotation', async (how) => {
    const fetched = answering({});
    const beforeSend = (): Promise<void> => {
      const error = Object.assign(
        new Error(`insert failed for ${phoneNumber}, ${email}, ${lastName}, ${street}, ${secret}`),
        {
          detail: phoneNumber,
          cause: new Error(secret),
        },
      );
      if (how === 'throws') throw error;
      return Promise.reject(error);
    };
    const { client, log } = watched(fetched.fetch, { hooks: { beforeSend } });
    const error = (await rejection(client.initiatePayment(payment))) as AnyInstallmentError;
    expect(error).toMatchObject({ code: 'HOOK' });
    expect((error.cause as Error).message).toContain('insert failed for [redacted]');
    await expectSilence([error, log], fetched);
  });

  it('in the cause of a hook that quotes the request as JSON or in a URL, or has a secret for its code', async () => {
    const fetched = answering(approvedPayment());
    const quoted = { firstName: 'An "CANARY" Bi', lastName, email, phoneNumber };
    const errors = await Promise.all(
      [
        (text: string) => JSON.stringify({ name: text }),
        (text: string) => encodeURIComponent(text),
        (text: string) => new URLSearchParams({ text }).toString(),
      ].map((form) => {
        const message = Object.values({ ...quoted, secret, extraData: 'CANARY extra\n"1"' })
          .map(form)
          .join(' ');
        const beforeSend = () => {
          throw Object.assign(new Error(`db: ${message}`), { code: secret.replaceAll('-', '_') });
        };
        const client = new InstallmentClient({
          ...demo,
          secretKey: secret.replaceAll('-', '_'),
          fetch: fetched.fetch,
          hooks: { beforeSend },
        });
        return rejection(
          client.initiatePayment(paymentRequest({ customer: quoted, extraData: 'CANARY extra\n"1"' })),
        );
      }),
    );
    for (const error of errors) {
      const shown = inspect(error, { depth: Infinity, showHidden: true });
      expect(shown).toContain('[redacted]');
      expect(shown.replaceAll('CANARY-secret', '')).not.toMatch(/CANARY|canary/);
    }
  });

  it.each([
    ['a short name as a word', 'Key (first_name)=(Vy) already exists'],
    ['a short name with punctuation around it', 'no customer "Tú"!'],
    ['a short name beside a long one', 'duplicate VyCanaryNguyễn'],
    ['a house number', 'no route to 7B, Canary street 77'],
    ['a description of one sign and one letter', 'bad value +A here'],
  ])(
    'in a HookError whose message has %s: the message is removed, the code is kept',
    async (_name, message) => {
      const fetched = answering({});
      const beforeSend = () => Promise.reject(Object.assign(new Error(message), { code: 'P2002' }));
      const { client, log } = watched(fetched.fetch, { hooks: { beforeSend } });
      const request = paymentRequest({
        description: '+A',
        customer: { phoneNumber, email, firstName: 'Vy', lastName, rank: 'Tú' },
        shipping: { ...paymentRequest().shipping, street, houseNumber: '7B' },
      });
      const error = (await rejection(client.initiatePayment(request))) as AnyInstallmentError;
      expect(error.cause).toMatchObject({
        code: 'P2002',
        message: 'P2002: its message quotes the request and is left out',
      });
      // The folder of the project may have any letters.
      const shown = printed([error, error.cause, log]).replaceAll(root, '');
      expect(shown).not.toMatch(/Vy|Tú|7B|\+A/);
      await expectSilence([error, log], fetched);
    },
  );

  it('but a message whose words only contain a short name is kept', async () => {
    const beforeSend = () => Promise.reject(new Error('Another write won in shard 17B'));
    const { client } = watched(answering({}).fetch, { hooks: { beforeSend } });
    const request = paymentRequest({
      customer: { phoneNumber, email, firstName: 'An', lastName: 'In' },
      shipping: { ...paymentRequest().shipping, houseNumber: '7B' },
    });
    const error = (await rejection(client.initiatePayment(request))) as AnyInstallmentError;
    expect(error.cause).toMatchObject({ message: 'Another write won in shard 17B' });
  });

  it.each([
    ['the whole URL', (url: URL) => url.href],
    ['its query', (url: URL) => url.search],
    ['the signature alone', (url: URL) => url.searchParams.get('X-Signature') ?? ''],
  ])('in a HookError that quotes a signed fileUrl: %s', async (_name, quoted) => {
    const fileUrl = `https://files.example/a.pdf?v=1&X-Signature=${secret}%2B${fileCanary}`;
    const fetched = answering({});
    const beforeSend = () => Promise.reject(new Error(`audit: step 1 of ${quoted(new URL(fileUrl))} failed`));
    const { client, log } = watched(fetched.fetch, { hooks: { beforeSend }, secretKey: 'another-secret' });
    const error = (await rejection(client.uploadInvoice(invoiceUpload({ fileUrl })))) as AnyInstallmentError;
    expect((error.cause as Error).message).toMatch(/^audit: step 1 of .*\[redacted\] failed$/);
    await expectSilence([error, log], fetched);
  });

  it('in a HookError of `post`, however deep in the body and in whatever JSON the text stands', async () => {
    const deep = { a: { b: { c: { d: { e: { f: phoneNumber, n: 912_345_678 } } } } } };
    const body = {
      deep,
      extraData: JSON.stringify({ person: { lastName } }),
      callback: `https://a.example/?e=${email}`,
    };
    const message = `rejected: ${phoneNumber} 912345678 ${lastName} ${email}`;
    const fetched = answering({});
    const { client, log } = watched(fetched.fetch, {
      hooks: { beforeSend: () => Promise.reject(new Error(message)) },
    });
    const error = (await rejection(client.post('/v2/payments/status', body))) as AnyInstallmentError;
    expect((error.cause as Error).message).toBe('rejected: [redacted] [redacted] [redacted] [redacted]');
    await expectSilence([error, log], fetched);
  });

  it('in the name, code or syscall of an error of the caller', async () => {
    const fetched = answering({});
    const thrown = Object.assign(new Error('no'), { name: 'Nguyen', code: 'E_CANARY', syscall: 'kimma' });
    const { client, log } = watched(fetched.fetch, { hooks: { beforeSend: () => Promise.reject(thrown) } });
    const request = paymentRequest({
      customer: { phoneNumber, email, firstName: 'CANARY', lastName: 'Nguyen' },
      shipping: { ...paymentRequest().shipping, street: 'kimma' },
    });
    const error = (await rejection(client.initiatePayment(request))) as AnyInstallmentError;
    expect(error.cause).toMatchObject({ name: 'Error', message: 'no' });
    expect(printed([error, error.cause, log])).not.toMatch(/Nguyen|CANARY|kimma/);
  });

  it('in a ValidationError whose stream quotes the request, in its message or as its code', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield file;
      throw Object.assign(new Error(`cannot fetch the invoice of ${lastName}`), { code: 'CANARY_Code' });
    }
    const fetched = answering({});
    const { client, log } = watched(fetched.fetch);
    const request = {
      ...upload,
      file: failing(),
      fileUrl: undefined,
      description: lastName,
      extraData: { c: 'CANARY_Code' },
    };
    const error = (await rejection(client.uploadInvoice(request))) as AnyInstallmentError;
    expect(error.cause).toMatchObject({ message: 'cannot fetch the invoice of [redacted]' });
    expect(error.message).toContain('file: cannot be read: Error; see the cause');
    expect(printed([error, error.cause])).not.toContain('CANARY_Code');
    await expectSilence([error, log], fetched);
  });

  it("in a HookError of a lender whose code quotes a customer's contract", async () => {
    const notification = receipt({
      contractNumber: 'CANARY-contract',
      receivedStatus: 'REVERSED',
      reversalReason: lastName,
    });
    const fails = () => Promise.reject(new Error(`no loan CANARY-contract of ${lastName}`));
    const fetched = answering({});
    for (const options of [{ headers: fails }, { hooks: { beforeSend: fails } }]) {
      const lender = demoLender({ fetch: fetched.fetch, ...options });
      const error = (await rejection(lender.notifyPaymentReceipt(notification))) as AnyInstallmentError;
      expect(error).toMatchObject({ code: 'HOOK', cause: { message: 'no loan [redacted] of [redacted]' } });
      expect(printed([error, error.cause])).not.toContain('CANARY');
    }
  });

  it('in a ConfigurationError', async () => {
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

  it("in a lender's client and its errors", async () => {
    const fetched = scriptedFetch(async (request) =>
      framed(`${headerCanary} ${(await sentBytes(request)).toString()}`, { status: 400 }),
    );
    const lender = demoLender({ fetch: fetched.fetch, headers: () => ({ Authorization: headerCanary }) });
    const error = await rejection(lender.notifyPaymentReceipt(receipt()));
    expect(error).toHaveProperty('code', 'NOTIFICATION_REJECTED');
    await expectSilence([lender, error], fetched);
  });
});
