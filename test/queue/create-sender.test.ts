import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  InstallmentClient,
  type InstallmentClientOptions,
  type InvoiceFileInput,
} from '../../src/index.js';
import { systemRuntime } from '../../src/http/runtime.js';
import { LenderClient } from '../../src/lender/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { senderWith } from '../../src/queue/create-sender.js';
import {
  createJob,
  createSender,
  JobFailure,
  jobOutcome,
  type CheckedJob,
  type JobHistory,
  type JobStore,
  type NewJob,
  type SenderOptions,
} from '../../src/queue/index.js';
import { jobId } from '../../src/queue/job-id.js';
import { systemError } from '../faults/detours.js';
import { demoClient, files, rejection, thrownBy } from '../helpers/samples.js';
import { framed, scriptedFetch, unreachable } from '../helpers/scripted-fetch.js';
import { newJob } from './jobs.js';

const jobOf = (spec: NewJob) => {
  const { id, name, data } = createJob(spec);
  return { id, name, data };
};
const order = jobOf({ operation: 'initiatePayment', request: samplePaymentRequest() });
const invoice = jobOf({ operation: 'uploadInvoice', request: { referenceId: 'ORDER-1' }, file: 'a.pdf' });

/** A job with other data, and the ID that belongs to it. */
const changed = (job: CheckedJob, changes: Partial<CheckedJob['data']>) => {
  const data = { ...job.data, ...changes };
  return { ...job, data, id: jobId(job.name, data) };
};

/** A store that takes everything, unless a test changes it, and what it was given. */
function storeWith(changes: Partial<JobStore> = {}) {
  const stored: JobHistory[] = [];
  const keep = (known: JobHistory) => Promise.resolve(stored.push(structuredClone(known)));
  const mark = (known: JobHistory) => keep(known).then(() => true);
  return { store: { history: undefined, mark, keep, ...changes } satisfies JobStore, stored };
}

interface Given {
  readonly job?: { readonly id: string; readonly name: string; readonly data: unknown };
  readonly store?: Partial<JobStore>;
  readonly signal?: AbortSignal;
}

async function failureOf(
  { job = order, store, signal }: Given,
  options: SenderOptions = { client: demoClient({ fetch: unreachable().fetch }) },
): Promise<JobFailure> {
  const error = await rejection(createSender(options)(job, storeWith(store).store, { signal }));
  expect(error).toBeInstanceOf(JobFailure);
  return error as JobFailure;
}

const refusal = (resultStatus: string) => Response.json({ resultStatus, resultMsg: 'no' });
const unavailable = () => new Response('', { status: 503 });
const throttled = () => framed('{}', { status: 429, headers: { 'Retry-After': '3600' } });
const marked = { store: { history: { outcome: 'unknown' } } } as const;
const loadFile = () => files.pdf;
const lenderWith = (options: object) =>
  new LenderClient({
    baseUrl: 'https://service.example',
    lenderCode: 'L',
    serviceApplicationId: 'A',
    ...options,
  });

describe('an accepted job', () => {
  test('returns the answer and how the call went, as JSON, and keeps them: a later run returns them and sends nothing', async () => {
    const mock = createMockService();
    const { fetch, requests } = scriptedFetch(({ url, init }) => mock.fetch(url, init));
    const send = createSender({ client: demoClient({ ...mock.clientOptions(), fetch }) });
    const { store, stored } = storeWith();
    const answer = await send(order, store);
    expect(answer).toMatchObject({
      result: { resultStatus: 'APPROVED', paymentUrl: expect.any(String) as unknown },
      metadata: { operation: 'initiatePayment', attempts: [{ outcome: 'accepted' }] },
    });
    expect(stored.map(jobOutcome)).toEqual(['unknown', 'accepted']);

    const history = JSON.parse(JSON.stringify(stored.at(-1))) as JobHistory;
    const untouched = () => expect.fail('the store was written');
    expect(await send(order, { history, mark: untouched, keep: untouched })).toEqual(history.answer);
    expect(requests).toHaveLength(1);
  });

  test('is accepted although the store does not take its answer', async () => {
    const client = new InstallmentClient(createMockService().clientOptions());
    const { store } = storeWith({ keep: () => Promise.reject(new Error('gone')) });

    expect(await createSender({ client })(order, store)).toMatchObject({ metadata: { httpStatus: 200 } });
  });
});

describe('right before it sends', () => {
  const cause = new Error('Connection is closed.');
  test.each<[string, JobStore['mark']]>([
    ['does not own the job', () => Promise.resolve(false)],
    ['says nothing', () => Promise.resolve(undefined as never)],
    ['has no date', () => Promise.resolve(new Date(NaN))],
    ['returns a count of rows', () => Promise.resolve(1 as never)],
    ['returns the result of a statement', () => Promise.resolve({ rowCount: 0 } as never)],
    ['rejects', () => Promise.reject(cause)],
  ])('a run whose store %s sends nothing, and is tried again', async (_, mark) => {
    const { fetch, requests } = unreachable();
    const error = await failureOf({ store: { mark } }, { client: demoClient({ fetch }) });

    expect(requests).toEqual([]);
    expect(error).toMatchObject({ outcome: 'not_sent', code: 'LOCK_LOST', isFinal: false });
    expect(error.message).toMatch(/Nothing was sent\.$/);
  });

  test('a run hands over until when it owns the job, and the additional fields', async () => {
    const until = new Date(Date.now() + 60_000);
    const handedOver: unknown[] = [];
    const fail = (_request: unknown, options: unknown) => {
      handedOver.push(options);
      return Promise.reject(new Error());
    };
    const client = { initiatePayment: fail, uploadInvoice: fail };
    const additionalFields = { voucher: 'A' };
    await failureOf({ store: { mark: () => Promise.resolve(until) } }, { client });
    await failureOf({ job: changed(order, { additionalFields }), ...marked }, { client });

    const signal = undefined;
    expect(handedOver).toEqual([
      { signal, sendBefore: until },
      { signal, mayHaveBeenSent: true, maxRetries: 0, additionalFields },
    ]);
  });

  test('a run that was suspended until another one may own the job sends nothing, and is tried again', async () => {
    const { fetch, requests } = unreachable();
    const mark = () => Promise.resolve(new Date(0));
    const error = await failureOf(
      { job: invoice, store: { mark } },
      { client: demoClient({ fetch }), loadFile },
    );

    expect(requests).toEqual([]);
    expect(error).toMatchObject({ outcome: 'not_sent', code: 'TIMEOUT', isFinal: false });
  });
});

describe('the history', () => {
  test.each<[string, JobStore['history'], (() => Response) | undefined, readonly string[]]>([
    [
      'a certain refusal replaces the marker',
      undefined,
      () => refusal('INVALID_AMOUNT'),
      ['unknown', 'rejected'],
    ],
    ['an unknown end leaves it', undefined, () => refusal('SOMETHING_NEW'), ['unknown']],
    [
      'the worst is kept: refused before, now not sent',
      { outcome: 'rejected' },
      undefined,
      ['unknown', 'rejected'],
    ],
    [
      'the worst is kept: not sent before, now refused',
      { outcome: 'not_sent' },
      () => refusal('INVALID_AMOUNT'),
      ['unknown', 'rejected'],
    ],
    [
      'the marker of an earlier run stands: unknown before, now refused',
      { outcome: 'unknown' },
      () => refusal('INVALID_AMOUNT'),
      ['unknown'],
    ],
  ])('%s', async (_, history, answer, outcomes) => {
    const { fetch } = scriptedFetch(() => {
      if (answer) return answer();
      throw new TypeError('fetch failed', { cause: systemError('ECONNREFUSED', 'connect') });
    });
    const { store, stored } = storeWith({ history });
    const send = createSender({ client: demoClient({ fetch, maxRetries: 0 }) });
    const error = (await rejection(send(order, store))) as JobFailure;

    expect(stored.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(error.outcome).toBe(outcomes.at(-1));
  });

  test.each<[JobStore['history'], string]>([
    [undefined, 'pending'],
    [null, 'pending'],
    ['lost', 'unknown'],
    [{ outcome: 'not_sent' }, 'not_sent'],
    [{ outcome: 'rejected' }, 'rejected'],
    [{ outcome: 'unknown' }, 'unknown'],
    [{ outcome: 'accepted' }, 'unknown'],
    [{ percent: 50 } as never, 'unknown'],
    [50 as never, 'unknown'],
    [{ outcome: 'accepted', answer: { result: {}, metadata: {} } as never }, 'accepted'],
  ])(
    '%o makes the outcome %s, and an upload is sent only where that was certain',
    async (history, outcome) => {
      expect(jobOutcome(history)).toBe(outcome);
      if (outcome === 'accepted') return;
      const { fetch, requests } = unreachable();
      await failureOf({ job: invoice, store: { history } }, { client: demoClient({ fetch }), loadFile });

      expect(requests).toHaveLength(outcome === 'unknown' ? 0 : 1);
    },
  );
});

describe('an upload or allocation', () => {
  test.each(['uploadInvoice', 'repaymentAllocation'] as const)(
    'is not retried by the client, whose waits would keep the marker: %s',
    async (kind) => {
      const { fetch, requests } = scriptedFetch(throttled);
      const options = { client: demoClient({ fetch }), lender: lenderWith({ fetch }), loadFile };
      const error = await failureOf({ job: jobOf(newJob(kind, 'R-1')) }, options);

      expect(requests).toHaveLength(1);
      expect(error).toMatchObject({ isFinal: false, outcome: 'rejected', retryAfterMs: 3_600_000 });
    },
  );

  const repeated = ['uploadInvoice, repeatUnknown', 'repaymentAllocation, repeatUnknown'] as const;
  const answers: readonly [string, () => Response, boolean][] = [
    ['refused', () => framed('{"resultStatus":"INVALID_SIGNATURE"}', { status: 400 }), true],
    ['refused for now', throttled, false],
    ['not answered', unavailable, false],
  ];
  test.each(repeated.flatMap((kind) => answers.map((row) => [kind, ...row] as const)))(
    'is sent again with repeatUnknown, and stays unknown: %s, %s',
    async (...[kind, , answer, isFinal]) => {
      const { fetch, requests } = scriptedFetch(answer);
      const options = { client: demoClient({ fetch }), lender: lenderWith({ fetch }), loadFile };
      const error = await failureOf({ job: jobOf(newJob(kind, 'R-1')), ...marked }, options);

      expect(requests).toHaveLength(1);
      expect(error).toMatchObject({ isFinal, outcome: 'unknown' });
    },
  );
});

describe('a payment', () => {
  test.each([
    ['retried by the client in its first run', undefined, 3],
    ['retried by the queue alone in later runs', { outcome: 'not_sent' } as const, 1],
  ])('is %s', async (_, history, sent) => {
    const { fetch, requests } = scriptedFetch(unavailable);
    await failureOf({ store: { history } }, { client: demoClient({ fetch }) });

    expect(requests).toHaveLength(sent);
  });

  test('is sent again after it may have been sent, and its refusal does not count for the earlier run', async () => {
    const duplicate = {
      referenceId: 'ORDER:2026-0001',
      resultStatus: 'DUPLICATE_REFERENCE_ID',
      resultMsg: '',
    };
    const { fetch, requests } = scriptedFetch(() => Response.json(duplicate));

    expect(await failureOf(marked, { client: demoClient({ fetch }) })).toMatchObject({
      outcome: 'unknown',
      cause: { probablyAccepted: true },
    });
    expect(requests).toHaveLength(1);
  });

  const perhapsSent = { isFinal: true, outcome: 'unknown', code: 'MAY_HAVE_BEEN_SENT' };

  test('is sent once with repeatUnknown: false, and not again after it may have been sent', async () => {
    const { fetch, requests } = scriptedFetch(unavailable);
    const job = jobOf({
      operation: 'initiatePayment',
      request: samplePaymentRequest(),
      repeatUnknown: false,
    });

    expect(await failureOf({ job }, { client: demoClient({ fetch }) })).toMatchObject({
      isFinal: true,
      outcome: 'unknown',
    });
    expect(await failureOf({ job, ...marked }, { client: demoClient({ fetch }) })).toMatchObject(perhapsSent);
    expect(requests).toHaveLength(1);
  });

  const cautious = ({ fetch }: Pick<InstallmentClientOptions, 'fetch'>) =>
    demoClient({ fetch, maxRetries: 0, repeatUnknown: false });
  test.each<[string, (client: InstallmentClient) => SenderOptions['client']]>([
    ['the client', (client) => client],
    ['the client of a function', (client) => () => Promise.resolve(client)],
    ['a client that withOptions made', (client) => client.withOptions({ maxRetries: 1 })],
    ['a Proxy of the client', (client) => new Proxy(client, {})],
    ['a copy of the client', (client) => Object.assign({}, client)],
  ])('is not sent again where %s has repeatUnknown: false', async (_, made) => {
    const { fetch, requests } = unreachable();

    expect(await failureOf(marked, { client: made(cautious({ fetch })) })).toMatchObject(perhapsSent);
    expect(requests).toEqual([]);
  });

  test('is sent again by a client whose repeatUnknown is true again', async () => {
    const { fetch, requests } = unreachable();
    await failureOf(marked, { client: cautious({ fetch }).withOptions({ repeatUnknown: true }) });

    expect(requests).toHaveLength(1);
  });

  test('is left to the queue after a 429 by a client with repeatUnknown: false', async () => {
    const { fetch, requests } = scriptedFetch(throttled);
    const client = demoClient({ fetch, repeatUnknown: false });

    expect(await failureOf({}, { client })).toMatchObject({ isFinal: false, outcome: 'rejected' });
    expect(requests).toHaveLength(1);
  });
});

test('a receipt follows the repeatUnknown of its lender, and an upload its own', async () => {
  const { fetch, requests } = unreachable();
  const lender = lenderWith({ fetch, repeatUnknown: false });
  const receipt = jobOf(newJob('paymentReceipt', 'LTC-1'));
  const upload = jobOf(newJob('uploadInvoice, repeatUnknown', 'R-1'));

  expect(await failureOf({ job: receipt, ...marked }, { lender })).toMatchObject({
    code: 'MAY_HAVE_BEEN_SENT',
  });
  expect(requests).toEqual([]);
  const client = demoClient({ fetch, maxRetries: 0, repeatUnknown: false });
  await failureOf({ job: upload, ...marked }, { client, loadFile });
  expect(requests).toHaveLength(1);
});

describe('a job that is added again with mayHaveBeenSent', () => {
  test('counts its first run as a repeat: a refusal does not say that nothing was created', async () => {
    const { fetch } = scriptedFetch(() => refusal('INVALID_REQUEST'));
    const job = changed(order, { mayHaveBeenSent: true });

    expect(await failureOf({ job }, { client: demoClient({ fetch }) })).toMatchObject({
      outcome: 'unknown',
      code: 'INVALID_REQUEST',
    });
  });

  test('is not sent if it is an upload', async () => {
    const { fetch, requests } = unreachable();
    const job = jobOf({ ...newJob('uploadInvoice', 'R-1'), mayHaveBeenSent: true });

    expect((await failureOf({ job }, { client: demoClient({ fetch }), loadFile })).message).toMatch(
      /^unknown MAY_HAVE_BEEN_SENT: an earlier run or job may have sent it, and it is not sent twice\. Look it up .* without mayHaveBeenSent\.$/,
    );
    expect(requests).toEqual([]);
  });
});

describe('a file', () => {
  async function* breaking() {
    yield Buffer.from('%PDF-1.7 ');
    await Promise.resolve();
    throw new Error('s3cret');
  }
  const stalled = () => new ReadableStream({ pull: () => new Promise(() => undefined) });
  const ends = (error: object) => () => Promise.reject(Object.assign(new Error('s3cret'), error));
  const issue = { issues: [{ path: ['file'] }] };
  test.each<[string, SenderOptions['loadFile'], RegExp, boolean, object?]>([
    ['whose stream breaks', breaking, /FILE_NOT_LOADED/, false, { message: 's3cret' }],
    ['that does not exist', () => ({ path: '/nowhere/1' }), /LOADED: .*ENOENT/, false, { code: 'ENOENT' }],
    ['that stalls', stalled, /FILE_NOT_LOADED: .*120000 ms/, false],
    ['that cannot be loaded', ends({ code: 'EIO' }), /LOADED: .*EIO/, false, { code: 'EIO' }],
    ['without a loadFile', undefined, /FILE_NOT_LOADED: there is no loadFile\. Nothing was sent\.$/, false],
    ['of another type', () => Buffer.from('text'), /VALIDATION: uploadInvoice: .*pdf/, true, issue],
    ['that is a string', () => 'a.pdf' as never, /VALIDATION: .*path/, true, issue],
  ])('a file %s is refused before the marker is stored', async (_, loaded, message, isFinal, cause = {}) => {
    const { fetch, requests } = unreachable();
    const after = (ms: number, work: () => void) => {
      const timer = setTimeout(work, loaded === stalled ? 0 : ms);
      return () => clearTimeout(timer);
    };
    const runtime = { ...systemRuntime, after };
    const { store, stored } = storeWith();
    const send = senderWith({ client: demoClient({ fetch }), loadFile: loaded }, runtime);
    const error = (await rejection(send(invoice, store))) as JobFailure;

    expect(error.message).toMatch(message);
    expect([error.message, error.stack].join()).not.toContain('s3cret');
    expect(error).toMatchObject({ outcome: 'not_sent', isFinal });
    expect(error.cause ?? {}).toMatchObject(cause);
    expect({ stored, requests }).toEqual({ stored: [], requests: [] });
  });

  test('is in memory, and its stream closed, before the marker is stored', async () => {
    const mock = createMockService({ uploads: 'any' });
    const client = new InstallmentClient(mock.clientOptions());
    await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
    const stream = Readable.from([files.pdf]);
    const mark = () => Promise.resolve(stream.destroyed);
    const loaded = (): InvoiceFileInput => ({ data: stream, filename: 'hoá đơn.pdf' });
    await createSender({ client, loadFile: loaded })(invoice, storeWith({ mark }).store);

    expect(mock.invoices.all()[0]).toMatchObject({ file: { name: 'hoá đơn.pdf' } });
  });

  test('is not waited for once the job is cancelled', async () => {
    const controller = new AbortController();
    const forever = () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const options = { client: demoClient(), loadFile: forever };

    expect(await failureOf({ job: invoice, signal: controller.signal }, options)).toMatchObject({
      message: 'not_sent ABORTED: the job was cancelled. Nothing was sent.',
      isFinal: false,
    });
  });
});

describe('an error', () => {
  test.each([order, invoice])('the error of a request that breaks a rule is final: $name', async (made) => {
    const job = changed(made, { request: { ...made.data.request, referenceId: '' } });

    expect(await failureOf({ job }, { client: demoClient(), loadFile })).toMatchObject({
      isFinal: true,
      outcome: 'not_sent',
      code: 'VALIDATION',
    });
  });

  test('an error of another package proves nothing: it is unknown, retried only where that is safe, and not quoted', async () => {
    const fail = () => Promise.reject(new TypeError('s3cret'));
    const client = { initiatePayment: fail, uploadInvoice: fail };
    const error = await failureOf({}, { client });

    expect(error).toMatchObject({ isFinal: false, outcome: 'unknown', code: 'UNEXPECTED_ERROR' });
    expect([error.message, error.stack].join()).not.toContain('s3cret');
    expect(await failureOf({ job: invoice }, { client, loadFile })).toMatchObject({ isFinal: true });
  });

  test('the error of a cancelled job comes at once', async () => {
    const { fetch } = scriptedFetch(() => new Promise<never>(() => undefined));

    expect(await failureOf({ signal: AbortSignal.abort() }, { client: demoClient({ fetch }) })).toMatchObject(
      {
        code: 'ABORTED',
        outcome: 'not_sent',
      },
    );
  });

  test('has its message for a stack, without the path of this module, and no other property than its facts', async () => {
    const error = await failureOf({ store: { mark: () => Promise.resolve(false) } });

    expect(error.stack).toBe(`JobFailure: ${error.message}`);
    expect(Object.keys(error).sort()).toEqual(['code', 'isFinal', 'name', 'outcome']);
    expect(error).not.toHaveProperty('cause');
  });
});

describe('a payment that an earlier run may have sent stays unknown where a later run ends before it sends', () => {
  const secretKey = () => Promise.reject(new Error('the vault is away'));
  test.each<[string, string, SenderOptions, Given]>([
    ['without a client for the job', 'CONFIGURATION', { client: () => undefined }, {}],
    [
      'because its client cannot be found',
      'CONFIGURATION',
      { client: () => Promise.reject(new Error()) },
      {},
    ],
    ['because its key cannot be read', 'HOOK', { client: demoClient({ secretKey }) }, {}],
    [
      'because the request breaks a rule',
      'VALIDATION',
      {},
      { job: changed(order, { request: { ...order.data.request, amount: {} } }) },
    ],
    ['because it does not own the job', 'LOCK_LOST', {}, { store: { mark: () => Promise.resolve(false) } }],
  ])('%s', async (_, code, options, { job, store }) => {
    const { fetch, requests } = unreachable();
    const client = demoClient({ fetch });
    const error = await failureOf(
      { ...(job && { job }), store: { ...marked.store, ...store } },
      { client, ...options },
    );

    expect(requests).toEqual([]);
    expect(error).toMatchObject({ outcome: 'unknown', code });
    expect(error.message).toMatch(
      /^unknown [A-Z_]+: an earlier run or job ended unknown, this run not_sent\. /,
    );
  });
});

describe('a job that createJob did not make', () => {
  test.each<[string, NonNullable<Given['job']>]>([
    ['another name', { ...order, name: 'refund' }],
    ['no data', { ...order, data: undefined }],
    ['a request that is a list', { ...order, data: { request: [] } }],
    ['the copy of an upload under another ID', { ...invoice, id: 'another' }],
    [
      'a reference that is half of a surrogate pair',
      { ...order, data: { request: { referenceId: '\ud800' } } },
    ],
    ['data that was changed', { ...order, data: { ...order.data, account: 'shop-2' } }],
    [
      'a file of this machine, under the ID that belongs to it',
      (({ data }) => ({ ...invoice, data, id: jobId('uploadInvoice', data) }))({
        data: { request: { referenceId: 'R', file: { path: '/etc/hostname' } } },
      }),
    ],
  ])('fails for good, and sends nothing: %s', async (_, job) => {
    const { fetch, requests } = unreachable();

    expect(await failureOf({ job }, { client: demoClient({ fetch }), loadFile })).toMatchObject({
      isFinal: true,
      code: 'CONFIGURATION',
      outcome: 'not_sent',
    });
    expect(requests).toEqual([]);
  });

  test.each([{}, { requestId: '0b7e2f9c-6d1a-4d5c-9c3f-1f2e3d4c5b6a' }])(
    'is not a notification whose fields were filled in, or not: %o',
    async (given) => {
      const spec = newJob('paymentReceipt', 'LTC-1') as Extract<NewJob, { operation: 'paymentReceipt' }>;
      const job = jobOf({ ...spec, request: { ...spec.request, ...given } });

      expect(await failureOf({ job }, { lender: lenderWith({ fetch: unreachable().fetch }) })).toMatchObject({
        code: 'CONNECTION',
      });
    },
  );
});

describe('the options', () => {
  test.each<[string, string, unknown]>([
    ['client', 'client is required when there is no lender: pass one of them', {}],
    ['client', 'client must be a client, or a function of the job that returns one', { client: 'https://x' }],
    ['loadFile', 'loadFile must be a function', { client: demoClient(), loadFile: './invoices' }],
    ['clients', 'clients', { client: demoClient(), clients: [] }],
    ['options', 'options must be an object', undefined],
  ])('are refused by name: %s, %s', (option, message, options) => {
    const error = thrownBy(() => createSender(options as SenderOptions));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message: expect.stringContaining(message) as unknown });
  });

  test('need the client of an operation before its job is marked', async () => {
    const store = { mark: () => expect.fail('a marker was stored') };
    const lender = lenderWith({ fetch: unreachable().fetch });
    const expected = { isFinal: true, code: 'CONFIGURATION', outcome: 'not_sent' };

    expect(await failureOf({ store }, { lender })).toMatchObject(expected);
    expect(await failureOf({ job: jobOf(newJob('paymentReceipt', 'LTC-1')), store })).toMatchObject(expected);
  });
});

describe('a sender that serves several merchants', () => {
  const shops = new Map(['shop-1', 'shop-2'].map((account) => [account, createMockService()]));
  const of = (account: string) =>
    jobOf({ operation: 'initiatePayment', request: samplePaymentRequest(), account });
  const clientOf = ({ data: { account } }: CheckedJob) => {
    const mock = shops.get(String(account));
    return mock && new InstallmentClient(mock.clientOptions());
  };

  test.each<[string, SenderOptions['client']]>([
    ['a function', clientOf],
    ['a function that returns a promise', (job) => Promise.resolve(clientOf(job))],
  ])('finds the client of each job by its account: %s', async (_, client) => {
    for (const mock of shops.values()) mock.reset();
    await createSender({ client })(of('shop-2'), storeWith().store);

    expect([...shops.values()].map(({ payments }) => payments.all().length)).toEqual([0, 1]);
  });

  test('finds the lender of a job too', async () => {
    const mock = createMockService();
    const lender = (job: CheckedJob) =>
      job.data.account === 'bank-1' ? lenderWith({ fetch: mock.fetch }) : undefined;
    await createSender({ lender })(
      jobOf({ ...newJob('paymentReceipt', 'LTC-1'), account: 'bank-1' }),
      storeWith().store,
    );

    expect(mock.receipts.all()).toHaveLength(1);
  });

  test.each<[string, SenderOptions['client'], RegExp, boolean]>([
    ['has no client for it', clientOf, /account/, true],
    ['returns something else', (() => 'client') as never, /account/, true],
    ['throws', () => JSON.parse('no') as never, /SyntaxError/, false],
    ['rejects', () => Promise.reject(new Error('s3cret')), /rejected/, false],
  ])('fails a job, without a marker, where its function %s', async (_, client, message, isFinal) => {
    const store = { mark: () => expect.fail('a marker was stored') };
    const error = await failureOf({ job: of('shop-3'), store }, { client });

    expect(error.message).toMatch(/^not_sent CONFIGURATION: /);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ isFinal, outcome: 'not_sent' });
    expect(error.message).not.toContain('s3cret');
  });
});
