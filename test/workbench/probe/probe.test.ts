import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createMockService, scenarios } from '../../../src/entries/mock.js';
import { createdIn } from '../../../src/workbench/probe/judge/created.js';
import { listening } from '../../helpers/listening.js';
import type { WireRequest } from '../../../src/workbench/probe/steps/requests.js';
import { send } from '../../../src/workbench/probe/steps/send.js';
import { ask, askMock, valuesOf } from './ask-service.js';

describe('probe with the mock', () => {
  // `hang` needs eight seconds for each payment, so the test with random combinations covers it.
  const fair = scenarios.filter(
    ({ scenario }) => scenario.network === undefined || scenario.network === 'slow',
  );

  test.each(fair.map(({ name, scenario }) => ({ name, scenario })))(
    'recognises the scenario $name, without another difference',
    async ({ scenario }) => {
      const { why, values, options } = await askMock({ scenario });
      expect({ why, values }).toEqual({ why: undefined, values: { ...values, ...valuesOf({ scenario }) } });
      const { repeat, firstResponse, refusals } = scenario;
      const different = Object.entries({ repeat, firstResponse, refusals }).filter(
        ([, value]) => value !== undefined,
      );
      const set = different.length > 0 ? { scenario: Object.fromEntries(different) } : {};
      expect(options).toEqual({ client: { wire: {} }, mock: set });
    },
  );

  test.each(
    scenarios.filter(
      ({ name, scenario }) => !fair.some((each) => each.name === name) && scenario.network !== 'hang',
    ),
  )('recognises the scenario $name behind network faults, or does not see it', async ({ scenario }) => {
    const { values } = await askMock({ scenario });
    const expected: Record<string, unknown> = valuesOf({ scenario });
    const wrong = Object.entries(values).filter(
      ([id, value]) => value !== undefined && id in expected && value !== expected[id],
    );
    expect(wrong).toEqual([]);
    expect(values['signature-encoding']).toBe('hex');
  });

  test.each([
    { wire: { signatureEncoding: 'hex-upper', secretKeyEncoding: 'hex' } },
    { wire: { signatureEncoding: 'base64', secretKeyEncoding: 'base64', absentFields: 'omit' } },
    { wire: { signatureEncoding: 'base64url', absentFields: 'omit' }, uploads: 'any' },
    { scenario: { repeat: 'another', refusals: { INVALID_SIGNATURE: 418 } } },
  ] as const)('made from the observations behaves the same: %j', async (options) => {
    const first = await askMock(options);
    const second = await askMock(first.options.mock);
    expect(second.options).toEqual(first.options);
    expect(second.observations.map(({ id, value }) => [id, value])).toEqual(
      first.observations.map(({ id, value }) => [id, value]),
    );
    expect(first.options.mock).toMatchObject(options);
  });

  test('creates two payments and no invoice, and lists them', async () => {
    const { mock, transcript } = await askMock({});
    const references = mock.payments.all().map(({ referenceId }) => referenceId);
    expect(references.every((each) => each.startsWith('PROBE-'))).toBe(true);
    expect(createdIn(transcript)).toEqual({
      payments: references.map((referenceId) => ({ referenceId, isCertain: true })),
      invoices: [],
    });
    expect([mock.payments.all().length, mock.invoices.all().length]).toEqual([2, 0]);
  });
});

describe('whole uploads whose responses are lost', () => {
  const isUpload = ({ url }: WireRequest) => url.endsWith('/upload-invoice');
  const hasFile = ({ body }: WireRequest) => body.includes('filename=');

  test('are not sent again, whether or not the service accepts their signature', async () => {
    let files = 0;
    const { transcript } = await askMock(
      {},
      {
        send: (request, ...rest) => {
          if (!isUpload(request)) return send(request, ...rest);
          if (hasFile(request)) files += 1;
          const refusal = { httpStatus: 200, headers: {}, body: { resultStatus: 'INVALID_REQUEST' } };
          return Promise.resolve(hasFile(request) ? 'ECONNRESET' : refusal);
        },
      },
    );
    expect(files).toBe(1);
    expect(createdIn(transcript).invoices).toMatchObject([{ isCertain: false }]);
  });

  test('are not sent again if only whole uploads show the form', async () => {
    let files = 0;
    const { mock } = await askMock(
      { uploads: 'any' },
      {
        send: async (request, ...rest) => {
          const received = await send(request, ...rest);
          if (!isUpload(request) || !hasFile(request)) return received;
          files += 1;
          return 'ECONNRESET';
        },
      },
    );
    expect([files, mock.invoices.all().length]).toEqual([1, 1]);
  });
});

test('a service that writes a new token into each link is not reported as creating another payment', async () => {
  let links = 0;
  const { values, options, observations } = await askMock(
    {},
    {
      send: async (...args) => {
        const received = await send(...args);
        if (typeof received === 'string' || typeof received.body?.['paymentUrl'] !== 'string')
          return received;
        const paymentUrl = `${received.body['paymentUrl']}?token=${(links += 1)}`;
        return { ...received, body: { ...received.body, paymentUrl } };
      },
    },
  );
  expect([values.repeat, options.mock]).toEqual([undefined, {}]);
  expect(observations.find(({ id }) => id === 'repeat')?.observed).toContain(
    'it is unclear whether there are one or two payments',
  );
});

/** A server whose responses come from `respond`. The first request has the number 1. */
async function service(
  respond: (number: number, response: ServerResponse, request: IncomingMessage) => void,
) {
  let number = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => respond((number += 1), response, request));
  });
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  return { baseUrl, requests: () => number };
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const approved = { resultStatus: 'APPROVED', paymentUrl: 'https://pay.example/1' };

describe('an early end of probe', () => {
  test('comes at the first payment link that is not expected', async () => {
    const { baseUrl, requests } = await service((_number, response) => json(response, approved));
    const { why, transcript } = await ask({ baseUrl });
    expect(why).toBe('request 1 got a payment link, although no link was expected');
    expect(requests()).toBe(1);
    expect(createdIn(transcript).payments).toMatchObject([{ isCertain: true }]);
  });

  test.each([undefined, '6', 'soon'])('comes at a 429 with the Retry-After %s', async (retryAfter) => {
    const { baseUrl } = await service((_number, response) => {
      response.writeHead(429, { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }).end();
    });
    const { why, transcript } = await ask({ baseUrl });
    expect(why).toContain('HTTP 429 without a Retry-After of 5 s or less');
    expect(transcript).toHaveLength(1);
  });

  test('comes after sixty requests', async () => {
    // Signatures that are not lower-case hex get a different refusal, so each such form needs a separate control.
    const { baseUrl, requests } = await service((_number, response, { headers }) => {
      const isHex = /^[0-9a-f]{64}$/.test(String(headers['signature']));
      json(response, { resultStatus: isHex ? 'INVALID_SIGNATURE' : 'INVALID_REQUEST' });
    });
    const inEveryNotation = '00ff00ff00ff';
    const { why } = await ask({ baseUrl, secretKey: inEveryNotation });
    expect(why).toBe('60 requests were sent');
    expect(requests()).toBe(60);
  });

  test('comes after 55 seconds', async () => {
    let elapsedMs = 0;
    const { baseUrl } = await service((_number, response) =>
      json(response, { resultStatus: 'INVALID_REQUEST' }),
    );
    const { why } = await ask({ baseUrl }, { elapsedMs: () => (elapsedMs += 3000) });
    expect(why).toBe('55 s are over');
  });

  test('comes, with the reason, if the service does not respond', async () => {
    const { why, transcript } = await ask({});
    expect(why).toBe(
      'the service did not respond to the first request, which was sent three times (no response arrived): check INSTALLMENT_BASE_URL',
    );
    expect(transcript.map(({ lost }) => lost)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
  });

  test('comes, with the response and the offsets, if the order is refused at each offset', async () => {
    const refusal = { httpStatus: 200, headers: {}, body: { resultStatus: 'INVALID_AMOUNT' } };
    const { why } = await askMock(
      {},
      {
        send: (request, ...rest) =>
          request.body.includes('customer') ? Promise.resolve(refusal) : send(request, ...rest),
      },
    );
    expect(why).toBe(
      'the order was refused with INVALID_AMOUNT (HTTP 200): use a different order with --order, unless the service expects Request-Time at an offset other than +00:00, +07:00, +08:00',
    );
  });

  test.each(Array.from({ length: 11 }, (_, index) => index + 1))(
    'comes when it is interrupted at request %i, with the results so far',
    async (last) => {
      const ended = new AbortController();
      const { why, transcript } = await askMock(
        {},
        {
          signal: ended.signal,
          onAttempt: (attempts) => {
            if (attempts.length >= last) ended.abort();
            return Promise.resolve();
          },
        },
      );
      expect(why).toBe('interrupted');
      // The last two requests are a pair.
      expect(transcript).toHaveLength(last === 10 ? 11 : last);
    },
  );
});

test('Request-Time is tried at each offset even if the first request was rate-limited', async () => {
  let orders = 0;
  const { why, values } = await askMock(
    {},
    {
      send: async (request, ...rest) => {
        const isOrder = request.body.includes('customer');
        if (isOrder && (orders += 1) === 1) return { httpStatus: 429, headers: { 'retry-after': '1' } };
        const time = Date.parse(`${request.headers['Request-Time']?.replace(' ', 'T') ?? ''}+08:00`);
        const isRefused = isOrder && Math.abs(time - Date.now()) > 300_000;
        if (!isRefused) return send(request, ...rest);
        return { httpStatus: 200, headers: {}, body: { resultStatus: 'ACCESS_DENIED' } };
      },
    },
  );
  expect([why, values['request-time-offset']]).toEqual([undefined, '+08:00']);
});

test('a service that checks the time first is also tried at the offset of Singapore', async () => {
  const { values } = await askMock(
    {},
    {
      send: (request, ...rest) => {
        const time = Date.parse(`${request.headers['Request-Time']?.replace(' ', 'T') ?? ''}+08:00`);
        if (Math.abs(time - Date.now()) < 300_000) return send(request, ...rest);
        return Promise.resolve({ httpStatus: 200, headers: {}, body: { resultStatus: 'ACCESS_DENIED' } });
      },
    },
  );
  expect(values).toMatchObject({ 'signature-encoding': 'hex', 'request-time-offset': '+08:00' });
});

test('an upload is sent even if the first response is REQUEST_PROCESSING and the link is never returned', async () => {
  for (const uploads of ['any', 'paid'] as const) {
    const { values } = await askMock({
      uploads,
      scenario: { firstResponse: 'processing', repeat: 'duplicate' },
    });
    expect(values['uploads-before-payment']).toBe(uploads === 'any' ? 'accepted' : 'refused');
  }
});

test('a service that also accepts upper-case hex is seen with lower-case hex, even if three responses to it are lost', async () => {
  let number = 0;
  const { values } = await askMock(
    { wire: { secretKeyEncoding: 'hex' } },
    {
      send: async (request, ...rest) => {
        number += 1;
        const headers = { ...request.headers, Signature: request.headers['Signature']?.toLowerCase() ?? '' };
        const received = await send({ ...request, headers }, ...rest);
        // The first request is the control. Four requests with the other encoding of the key follow.
        return [6, 7, 8].includes(number) ? 'ECONNRESET' : received;
      },
    },
  );
  expect(values['signature-encoding']).toBe('hex');
});

test('a redirect is not followed, and is not a response of the service', async () => {
  const paths: (string | undefined)[] = [];
  const { baseUrl } = await service((_number, response, request) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const { why } = await ask({ baseUrl });
  expect(why).toBe(
    'the service did not respond to the first request, which was sent three times (the last response was HTTP 307, without a resultStatus of the service itself): check INSTALLMENT_BASE_URL',
  );
  expect(new Set(paths)).toEqual(new Set(['/v2/payments']));
});

describe('a compressed response', () => {
  const encoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
    gzip: gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
    identity: (bytes) => bytes,
  };

  /** Probes a mock behind a server that compresses each response with a payment link. */
  async function askCompressing(contentEncoding: string) {
    const mock = createMockService();
    const { clientId, secretKey, merchantId, baseUrl } = mock.clientOptions();
    const server = createServer((request, response) => {
      void (async () => {
        const { url = '', method = '', headers } = request;
        const body = await buffer(request);
        const names = ['content-type', 'client-id', 'request-time', 'signature', 'idempotency-key'];
        const sent = names.flatMap((name) =>
          headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
        );
        const received = await mock.fetch(new Request(baseUrl + url, { method, headers: sent, body }));
        const text = await received.text();
        const isBaseline = !text.includes('/pay/');
        const encoded = contentEncoding
          .split(', ')
          .reduce<Uint8Array>((bytes, name) => encoders[name]?.(bytes) ?? bytes, Buffer.from(text));
        response.writeHead(received.status, isBaseline ? {} : { 'content-encoding': contentEncoding });
        response.end(isBaseline ? text : encoded);
      })();
    });
    const at = `http://127.0.0.1:${await listening(server)}`;
    return { mock, ...(await ask({ baseUrl: at, clientId, secretKey, merchantId })) };
  }

  test.each(['gzip', 'br', 'deflate', 'deflate, gzip, br, identity, gzip'])(
    'in %s is read as by the client, so that two payments are created',
    async (contentEncoding) => {
      const { mock, why, values } = await askCompressing(contentEncoding);
      expect({ why, values }).toMatchObject({ why: undefined, values: { ...valuesOf({}) } });
      expect(mock.payments.all()).toHaveLength(2);
    },
  );

  test.each(['zstd', 'gzip, gzip, gzip, gzip, gzip, gzip'])(
    'in %s ends the probe at the first whole order, because it might have created a payment',
    async (contentEncoding) => {
      const { mock, why, transcript } = await askCompressing(contentEncoding);
      expect(why).toMatch(/^request \d+, a whole order, got HTTP 200 without a readable resultStatus/);
      expect(mock.payments.all()).toHaveLength(1);
      expect(createdIn(transcript).payments).toMatchObject([{ isCertain: false }]);
    },
  );
});

describe('a response to a whole order in which the client reads no refusal', () => {
  /** Probes a mock with a different form of approvals. It treats each order as a new order. */
  async function askWriting(httpStatus: number, write: (paymentUrl: string) => object) {
    const asked = await askMock(
      { scenario: { repeat: 'another' } },
      {
        send: async (request, ...rest) => {
          const received = await send(request, ...rest);
          if (typeof received === 'string' || received.body?.['resultStatus'] !== 'APPROVED') return received;
          const text = JSON.stringify(write(String(received.body['paymentUrl'])));
          const { baseUrl } = await service((_number, response) =>
            response
              .writeHead(httpStatus, { 'content-type': 'application/json', location: '/elsewhere' })
              .end(text),
          );
          return send({ ...request, url: `${baseUrl}/v2/payments` }, ...rest);
        },
      },
    );
    const keys = asked.mock.journal.filter({ resultStatus: 'APPROVED' }).map((each) => each.idempotencyKey);
    return { ...asked, keys: new Set(keys).size, listed: createdIn(asked.transcript).payments.length };
  }

  test.each<[string, number, (paymentUrl: string) => object]>([
    ['a status that is not documented', 200, () => ({ resultStatus: 'PENDING' })],
    ['a link under such a status', 200, (paymentUrl) => ({ resultStatus: 'SUCCESS', paymentUrl })],
    ['an empty status', 200, (paymentUrl) => ({ resultStatus: '', paymentUrl })],
    ['a status by another name', 400, () => ({ result_status: 'REQUEST_PROCESSING' })],
    ['an open status in another place', 422, () => ({ error: { code: 'REQUEST_PROCESSING' } })],
    ['a conflict without a status', 409, () => ({ error: 'conflict' })],
    ['a refusal in the body of a redirect', 307, () => ({ resultStatus: 'INVALID_REQUEST' })],
  ])('such as %s creates at most two payments, and both are listed', async (_what, httpStatus, write) => {
    const { keys, listed } = await askWriting(httpStatus, write);
    expect(keys).toBeLessThanOrEqual(2);
    expect(listed).toBe(keys);
  });
});

test('a response of more than 1 MiB is not a response of the service', async () => {
  const { baseUrl } = await service((_number, response) =>
    response.writeHead(401).end(Buffer.alloc(2 ** 20 + 1, ' ')),
  );
  const { why, transcript } = await ask({ baseUrl });
  expect(why).toContain('the service did not respond to the first request, which was sent three times');
  expect(transcript[0]?.response).toMatchObject({ isUnreadable: true });
});

test('a transcript contains no key, no signature, no link, no body and no customer', async () => {
  const { transcript, mock } = await askMock({});
  const text = JSON.stringify(transcript);
  const signatures = mock.journal.all().map(({ headers }) => headers['signature'] ?? '');
  expect(signatures).toHaveLength(11);
  for (const secret of ['demo-secret', '/pay/', '0912345678', 'Kim', ...signatures.filter(Boolean)])
    expect(text).not.toContain(secret);
});
