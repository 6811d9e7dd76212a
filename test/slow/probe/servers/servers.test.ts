import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverNames, startServer, type Combination, type Server, type ServerName } from './start-server.js';

const plain: Combination = {
  clientId: 'PROBE-CLIENT',
  secretKey: 'khoá-bí-mật',
  signatureEncoding: 'hex',
  secretKeyEncoding: 'utf8',
  exactBytes: true,
  absentFields: 'empty',
  requestTimeOffset: '+07:00',
  repeat: 'replay',
  repeatInFlight: 'replay',
  firstResponse: 'approved',
  refusals: 200,
  uploadsBeforePayment: 'refused',
  seed: 0,
  workMs: 0,
};

const servers = new Map<ServerName, Server>();

beforeAll(async () => {
  await Promise.all(serverNames.map(async (name) => servers.set(name, await startServer(name, plain))));
});

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
});

function serverNamed(name: ServerName): Server {
  const server = servers.get(name);
  if (!server) throw new Error(`${name} was not started`);
  return server;
}

/** The behaviour of each server, by its name. */
async function ofEach<T>(ask: (server: Server, name: ServerName) => Promise<T>) {
  const asked = [...servers].map(async ([name, server]) => [name, await ask(server, name)] as const);
  return Object.fromEntries(await Promise.all(asked));
}

/** The same result from each server. */
function allGive<T>(expected: T) {
  return Object.fromEntries(serverNames.map((name) => [name, expected]));
}

function makeOrder(referenceId: string) {
  const item = { productId: 'P', productName: 'TV', category: 'TV', currency: 'VND', quantity: 1 };
  return {
    requestType: 'installment',
    merchantId: 'M',
    storeId: 'S',
    referenceId,
    platformId: 'PL',
    paymentMethod: 'WEB',
    description: 'Trả góp',
    successRedirectUrl: 'https://shop.example/paid',
    unSuccessRedirectUrl: 'https://shop.example/unpaid',
    amount: { value: 3_000_000, currency: 'VND' },
    items: [{ ...item, price: 3_000_000, totalAmount: 3_000_000 }],
    customer: { phoneNumber: '0912345678', email: 'an@shop.example', firstName: 'An', lastName: 'Lê' },
    shipping: { city: 'HN', district: 'BĐ', ward: 'KM', street: 'KM', houseNumber: '1', country: 'VN' },
  };
}

function sign(signed: string | Buffer, combination: Combination): string {
  const key = Buffer.from(combination.secretKey, combination.secretKeyEncoding);
  const hmac = createHmac('sha256', key).update(signed);
  const encoding = combination.signatureEncoding;
  return encoding === 'hex-upper' ? hmac.digest('hex').toUpperCase() : hmac.digest(encoding);
}

/** The current time on a clock that is this number of hours ahead of UTC. */
function requestTime(hours = 7): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

async function send(server: Server, path: string, headers: Record<string, string>, body: string | FormData) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Client-Id': plain.clientId, 'Request-Time': requestTime(), ...headers },
    body,
  });
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  const outcome = `${response.status} ${String(json['resultStatus'])}`;
  return { outcome, link: json['paymentUrl'], retryAfter: response.headers.get('Retry-After') };
}

function pay(server: Server, body: string, signature: string, headers: Record<string, string> = {}) {
  const all = { 'Content-Type': 'application/json', Signature: signature, ...headers };
  return send(server, '/v2/payments', all, body);
}

/** JSON in other serializations: compact, sorted, or as Python's json.dumps writes it. */
function writeAgain(value: unknown, name: ServerName): string {
  if (name === 'rough') return JSON.stringify(value);
  const [comma, colon] = name === 'sandbox' ? [', ', ': '] : [',', ':'];
  if (Array.isArray(value)) return `[${value.map((element) => writeAgain(element, name)).join(comma)}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => JSON.stringify(key) + colon + writeAgain(member, name),
    );
    return `{${(name === 'sandbox' ? members : members.sort()).join(comma)}}`;
  }
  const text = JSON.stringify(value);
  if (name !== 'sandbox') return text;
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

test('each server approves the configured signature, and creates nothing for another key, client, time or serialization', async () => {
  const combinations: Partial<Combination>[] = [
    { signatureEncoding: 'hex' },
    { signatureEncoding: 'hex-upper', secretKeyEncoding: 'hex', secretKey: '00ff6b6579' },
    { signatureEncoding: 'base64', secretKeyEncoding: 'base64', secretKey: 'AP9rZXkh+/8=' },
    { signatureEncoding: 'base64url' },
    { exactBytes: false },
  ];
  for (const asked of combinations) {
    const combination = { ...plain, ...asked };
    const answers = await ofEach(async (server, name) => {
      await server.configure(combination);
      const order = makeOrder('PROBE-1');
      const body = JSON.stringify(order, null, 3);
      const again = writeAgain(order, name);
      const [right, wrong] = combination.exactBytes ? [body, again] : [again, body];
      const signature = sign(right, combination);
      const refused = [
        await pay(server, body, sign(wrong, combination)),
        await pay(server, body, sign(right, { ...combination, secretKey: '0000' })),
        await pay(server, body, signature, { 'Client-Id': 'OTHER' }),
        await pay(server, body, signature, { 'Request-Time': requestTime(0) }),
      ].map(({ outcome }) => outcome);
      const before = await server.count();
      const { outcome } = await pay(server, body, signature);
      return [...refused, before.payments, outcome, (await server.count()).payments];
    });
    const expected = ['200 INVALID_SIGNATURE', '200 INVALID_SIGNATURE', '200 INVALID_CLIENT_ID'];
    expect(answers, JSON.stringify(asked)).toEqual({
      'shape-first': [...expected, '200 INVALID_REQUEST', 0, '200 APPROVED', 1],
      sandbox: [...expected, '200 ACCESS_DENIED', 0, '200 APPROVED', 1],
      rough: [...expected, '200 INVALID_REQUEST', 0, '200 APPROVED', 1],
    });
  }
});

test('the shape-first server reports a wrong shape before a wrong signature, and the other servers after it, with the configured HTTP status', async () => {
  async function refusalsOf(refusals: Combination['refusals']) {
    return ofEach(async (server) => {
      await server.configure({ ...plain, refusals });
      const emptyAndUnsigned = await pay(server, '{}', '');
      const empty = await pay(server, '{}', sign('{}', plain));
      const unsigned = await pay(server, JSON.stringify(makeOrder('PROBE-1')), '');
      const elsewhere = await send(server, '/v2/elsewhere', {}, '');
      expect(await server.count()).toMatchObject({ payments: 0 });
      return [emptyAndUnsigned, empty, unsigned, elsewhere].map(({ outcome }) => outcome);
    });
  }

  expect(await refusalsOf(200)).toEqual({
    'shape-first': ['200 INVALID_REQUEST', '200 INVALID_REQUEST', '200 INVALID_SIGNATURE', '200 INVALID_API'],
    sandbox: ['200 INVALID_SIGNATURE', '200 INVALID_REQUEST', '200 INVALID_SIGNATURE', '200 INVALID_API'],
    rough: ['200 INVALID_SIGNATURE', '200 INVALID_REQUEST', '200 INVALID_SIGNATURE', '200 INVALID_API'],
  });
  expect(await refusalsOf('by-kind')).toEqual({
    'shape-first': ['422 INVALID_REQUEST', '422 INVALID_REQUEST', '401 INVALID_SIGNATURE', '404 INVALID_API'],
    sandbox: ['403 INVALID_SIGNATURE', '400 INVALID_REQUEST', '403 INVALID_SIGNATURE', '404 INVALID_API'],
    rough: ['401 INVALID_SIGNATURE', '400 INVALID_REQUEST', '401 INVALID_SIGNATURE', '404 INVALID_API'],
  });
  expect(await refusalsOf({ INVALID_SIGNATURE: 418 })).toMatchObject({
    'shape-first': ['200 INVALID_REQUEST', '200 INVALID_REQUEST', '418 INVALID_SIGNATURE', '200 INVALID_API'],
    sandbox: ['418 INVALID_SIGNATURE', '200 INVALID_REQUEST', '418 INVALID_SIGNATURE', '200 INVALID_API'],
    rough: ['418 INVALID_SIGNATURE', '200 INVALID_REQUEST', '418 INVALID_SIGNATURE', '200 INVALID_API'],
  });
});

test('a request under a known key gets the configured response, both in flight and later', async () => {
  /**
   * The responses to the second request of a pair and to a later request, and the number of payments and links after
   * them.
   */
  async function ask(server: Server, manners: Partial<Combination>) {
    await server.configure({ ...plain, workMs: 250, ...manners });
    const body = JSON.stringify(makeOrder('PROBE-1'));
    const repeat = () => pay(server, body, sign(body, plain), { 'Idempotency-Key': 'key-1' });
    const pair = await Promise.all([repeat(), repeat()]);
    const later = await repeat();
    const answers = [...pair, later];
    if (manners.repeat === 'busy') {
      await sleep(1600);
      const stored = await repeat();
      expect(stored.outcome).toBe('200 APPROVED');
      answers.push(stored);
    }
    const outcomes = pair.map(({ outcome }) => outcome);
    const second = outcomes[0] === '200 APPROVED' ? outcomes[1] : outcomes[0];
    const links = new Set(answers.map(({ link }) => link).filter(Boolean)).size;
    const { payments } = await server.count();
    return { second, later: later.outcome, payments, links };
  }

  const replayed = '200 APPROVED';
  const rows = [
    ['replay', replayed],
    ['duplicate', '200 DUPLICATE_REFERENCE_ID'],
    ['invalid', '200 INVALID_REQUEST'],
    ['conflict', '409 undefined'],
    ['processing', '200 REQUEST_PROCESSING'],
    ['busy', '422 REQUEST_PROCESSING'],
    ['another', replayed],
  ] as const;
  for (const [index, [repeat, later]] of rows.entries()) {
    const [repeatInFlight, second] = rows[(index + 1) % rows.length] ?? rows[0];
    const payments = 1 + Number(repeat === 'another') + Number(repeatInFlight === 'another');
    const expected = { second, later, payments, links: payments };
    expect(await ofEach((server) => ask(server, { repeat, repeatInFlight }))).toEqual(allGive(expected));
  }
  expect(await ofEach((server) => ask(server, { firstResponse: 'processing' }))).toEqual(
    allGive({ second: '200 REQUEST_PROCESSING', later: replayed, payments: 1, links: 1 }),
  );
});

test('an upload is signed with or without its absent fields, and three are stored if uploads before a payment are accepted', async () => {
  const sent = { merchantId: 'M', referenceId: 'PROBE-1', description: 'Hoá đơn' };
  const canonical = {
    empty:
      'merchantId=M&referenceId=PROBE-1&paymentTransId=&storeId=&invoiceNumber=&invoiceDate=&description=Hoá đơn&extraData=',
    omit: 'merchantId=M&referenceId=PROBE-1&description=Hoá đơn',
  };
  function upload(server: Server, signature: string) {
    const form = new FormData();
    for (const [name, value] of Object.entries(sent)) form.append(name, value);
    form.append(
      'file',
      new Blob(['%PDF-1.4\r\n\r\n--\r\n%%EOF'], { type: 'application/pdf' }),
      'invoice.pdf',
    );
    return send(server, '/v2/payments/upload-invoice', { Signature: signature }, form);
  }
  async function ask(server: Server, combination: Combination) {
    await server.configure(combination);
    const order = JSON.stringify(makeOrder('PROBE-1'));
    const wrong = combination.absentFields === 'empty' ? canonical.omit : canonical.empty;
    const inHex = { ...combination, signatureEncoding: 'hex' as const };
    const signature = sign(canonical[combination.absentFields], inHex);
    const outcomes = [await upload(server, sign(wrong, inHex)), await upload(server, signature)];
    await pay(server, order, sign(order, combination));
    for (let file = 1; file <= 4; file += 1) outcomes.push(await upload(server, signature));
    const { invoices } = await server.count();
    return [...outcomes.map(({ outcome }) => outcome.slice(4)), invoices];
  }

  for (const absentFields of ['empty', 'omit'] as const) {
    const combination = { ...plain, absentFields, signatureEncoding: 'base64' as const };
    const early = ['INVALID_SIGNATURE', 'INVALID_REFERENCE_ID'];
    const fourTimes = (status: string) => Array<string>(4).fill(status);
    expect(await ofEach((server) => ask(server, combination))).toEqual({
      'shape-first': [...early, ...fourTimes('INVALID_REQUEST'), 0],
      sandbox: [...early, ...fourTimes('ACCESS_DENIED'), 0],
      rough: [...early, ...fourTimes('INVALID_REFERENCE_ID'), 0],
    });
    expect(
      await ofEach((server) => ask(server, { ...combination, uploadsBeforePayment: 'accepted' })),
    ).toEqual(allGive([...early, 'APPROVED', 'APPROVED', 'APPROVED', 'LIMIT_EXCEEDED', 3]));
  }
});

test('each server compresses its responses as configured, so that a client can read them', async () => {
  for (const contentEncoding of ['gzip', 'br', 'deflate'] as const) {
    const outcomes = await ofEach(async (server) => {
      await server.configure({ ...plain, contentEncoding });
      const body = JSON.stringify(makeOrder('PROBE-1'));
      return (await pay(server, body, sign(body, plain))).outcome;
    });
    expect(outcomes).toEqual(allGive('200 APPROVED'));
  }
});

test('each server reports a duplicate before a wrong signature if configured', async () => {
  for (const duplicatesFirst of [true, false]) {
    const outcomes = await ofEach(async (server) => {
      await server.configure({ ...plain, duplicatesFirst });
      const body = JSON.stringify(makeOrder('PROBE-1'));
      await pay(server, body, sign(body, plain));
      return (await pay(server, body, '0'.repeat(64), { 'Idempotency-Key': 'other' })).outcome;
    });
    expect(outcomes).toEqual(
      allGive(duplicatesFirst ? '200 DUPLICATE_REFERENCE_ID' : '200 INVALID_SIGNATURE'),
    );
  }
});

test('the rough server limits and redirects requests, and loses responses after it has acted, according to its seed', async () => {
  const rough = serverNamed('rough');
  async function orderOften(seed: number): Promise<string[]> {
    await rough.configure({ ...plain, seed });
    const outcomes: string[] = [];
    for (let number = 0; number < 80; number += 1) {
      const body = JSON.stringify(makeOrder(`PROBE-${number}`));
      const attempt = pay(rough, body, sign(body, plain));
      outcomes.push(
        await attempt.then(
          ({ outcome, retryAfter }) => (retryAfter ? `${outcome} after ${retryAfter} s` : outcome),
          () => 'lost',
        ),
      );
    }
    return outcomes;
  }

  const outcomes = await orderOften(7);
  const { payments, followed } = await rough.count();
  const often = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  const kinds = new Set(['200 APPROVED', '429 undefined after 1 s', '307 undefined', 'lost']);
  expect(new Set(outcomes)).toEqual(kinds);
  expect(payments).toBe(often('200 APPROVED') + often('lost'));
  expect(followed).toBe(0);
  expect(await orderOften(7)).toEqual(outcomes);
  expect(await orderOften(8)).not.toEqual(outcomes);
});
