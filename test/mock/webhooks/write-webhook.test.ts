import { describe, expect, test } from 'vitest';
import { createMockService, type MockOptions, type MockPayment } from '../../../src/entries/mock.js';
import { mockWebhookEventSchema } from '../../../src/mock/webhooks/webhook-event.js';
import { writeWebhook, type WebhookContent } from '../../../src/mock/webhooks/write-webhook.js';
import { paymentRequestWireSchema } from '../../../src/protocol/payment-schema.js';
import { hmacSha256 } from '../../../src/protocol/signature.js';
import { order } from '../../helpers/signed-requests.js';

type Webhook = NonNullable<MockOptions['webhook']>;

const payment: MockPayment = {
  referenceId: 'ORDER-1',
  merchantId: 'DEMO-MERCHANT',
  clientId: 'demo-client',
  status: 'paid',
  paymentUrl: 'https://mock.example/pay/1',
  paymentTransId: 'PT-1',
  createdAt: new Date(0),
  expiresAt: new Date(900_000),
  settledAt: new Date(1000),
  request: paymentRequestWireSchema.parse(order({ description: 'Tủ lạnh "hai cánh"' })),
};

const content: WebhookContent = {
  id: 'WH-1',
  key: 'demo-secret',
  createdAt: new Date(1000),
  serialization: 'compact',
};

function written(template: Webhook['template'], changes: Partial<WebhookContent> = {}, told = payment) {
  const webhook: Webhook = { url: 'https://shop.example/hook', template };
  // Each template of these tests is a valid option.
  createMockService({ webhook });
  const webhookOf = writeWebhook(told, { ...content, ...changes }, webhook);
  return webhookOf ?? expect.fail('it equals the genuine one');
}

test('a description with the text (signature) is sent as it was signed, with the signature in its header', () => {
  const request = { ...payment.request, description: 'Sofa (signature)' };
  const { body, headers } = written(undefined, {}, { ...payment, request });
  expect(JSON.parse(body)).toMatchObject({ description: 'Sofa (signature)' });
  expect(headers['signature'] ?? headers['Signature']).toBe(hmacSha256(body, content.key));
});

describe('a value of the body that is only a placeholder', () => {
  test('becomes the value, of its JSON type', () => {
    const values = {
      id: 'WH-1',
      event: 'payment.settled',
      merchantId: 'DEMO-MERCHANT',
      referenceId: 'ORDER-1',
      status: 'paid',
      amount: payment.request.amount,
      'amount.value': payment.request.amount.value,
      'amount.currency': 'VND',
      description: 'Tủ lạnh "hai cánh"',
      paymentTransId: 'PT-1',
      settledAt: '1970-01-01T00:00:01.000Z',
      clientId: 'demo-client',
    };
    const placeholders = Object.keys(values).map((name) => [name, `{${name}}`]);
    const { body } = written({ body: { nested: [Object.fromEntries(placeholders)] } });

    expect(JSON.parse(body)).toEqual({ nested: [values] });
  });

  test('is left out with its name if there is no value, and leaves an empty text inside a longer text', () => {
    const { paymentTransId: _none, ...declined } = { ...payment, status: 'declined' as const };
    const { body } = written(
      { body: { id: '{paymentTransId}', state: '{status}', note: 'as {paymentTransId}' } },
      {},
      declined,
    );

    expect(body).toBe('{"state":"declined","note":"as "}');
  });
});

test('placeholders within a text are filled, and the text is escaped once', () => {
  const { body } = written({
    body: {
      text: 'Order {referenceId}: {description}, {amount.value} {x',
      ends: '{merchantId} {event}',
      kept: [1, null],
    },
  });

  expect(JSON.parse(body)).toEqual({
    text: `Order ORDER-1: Tủ lạnh "hai cánh", ${String(payment.request.amount.value)} {x`,
    ends: 'DEMO-MERCHANT payment.settled',
    kept: [1, null],
  });
});

test('a body of text is sent unchanged, with values escaped for JSON', () => {
  const { body } = written({
    body: '{ "text" : "{description}", "amount" : {amount.value}, "of" : {amount} }',
  });

  expect(body).toBe(
    '{ "text" : "Tủ lạnh \\"hai cánh\\"", "amount" : 12000000, "of" : {"value":12000000,"currency":"VND"} }',
  );
});

test('the values of the template replace the status, also in the shape of the mock', () => {
  const template = { status: { paid: 0, pending: 'WAITING' } };

  expect(JSON.parse(written(template).body)).toMatchObject({ referenceId: 'ORDER-1', status: 0 });
  const pending = { ...payment, status: 'pending' as const };
  expect(JSON.parse(written(template, {}, pending).body)).toMatchObject({
    event: 'payment.pending',
    status: 'WAITING',
  });
  expect(mockWebhookEventSchema.parse(JSON.parse(written(undefined, {}, pending).body))).toMatchObject({
    event: 'payment.pending',
    status: 'pending',
  });
  const unknown = written(template, { decoy: 'UNPAID' });
  expect(JSON.parse(unknown.body)).toMatchObject({ status: 'UNPAID' });
});

test('the signature has the header, encoding and prefix of the template, beside the additional headers', () => {
  const { body, headers } = written({
    header: 'X-Signature',
    encoding: 'base64',
    prefix: 'sha256=',
    headers: { 'Client-Id': '{clientId}', 'Content-Type': 'text/plain' },
  });

  expect(headers).toEqual({
    'content-type': 'text/plain',
    'user-agent': expect.stringMatching(/^installment-payments-mock\//) as string,
    'client-id': 'demo-client',
    'X-Signature': `sha256=${hmacSha256(body, 'demo-secret', 'base64')}`,
  });
});

describe('a forged webhook', () => {
  test('has no signature header if it is not signed', () => {
    expect(written({}, { forgery: 'unsigned' }).headers).not.toHaveProperty('Signature');
  });

  test('has a different digest in the encoding of the template', () => {
    const { headers } = written({ encoding: 'base64' }, { forgery: 'zeros' });

    expect(headers['Signature']).toBe(Buffer.alloc(32).toString('base64'));
  });

  test('has a letter beyond ASCII in a signature of the right length and prefix', () => {
    const { headers } = written({ prefix: 'sha256=' }, { forgery: 'beyond-ascii' });

    expect(headers['Signature']).toBe(`sha256=${'0'.repeat(63)}é`);
  });
});

test('a webhook that says pending has no end, and other decoys end when they are made', () => {
  const createdAt = new Date(5000);
  const pending: unknown = JSON.parse(written(undefined, { decoy: 'pending', createdAt }).body);
  expect(pending).toMatchObject({ event: 'payment.pending', status: 'pending' });
  expect(pending).not.toHaveProperty('paymentTransId');
  expect(pending).not.toHaveProperty('settledAt');
  const lower = written(undefined, { decoy: 'lower-amount', createdAt });
  expect(JSON.parse(lower.body)).toMatchObject({
    paymentTransId: 'PT-1',
    settledAt: createdAt.toISOString(),
  });
});

describe('the alternative serialization', () => {
  test('writes the members in a different order, with a space after each colon and escapes', () => {
    const { body, headers } = written(
      { body: { url: 'a/b', list: [{ text: '{description}', amount: '{amount}' }, 1] } },
      { serialization: 'alternative' },
    );

    expect(body).toBe(
      '{"list": [{"amount": {"currency": "VND","value": 12000000},"text": "T\\u1ee7 l\\u1ea1nh \\"hai c\\u00e1nh\\""},1],"url": "a/b"}',
    );
    expect(headers['Signature']).toBe(hmacSha256(body, 'demo-secret'));
  });

  test('leaves a text that is not JSON unchanged', () => {
    expect(written({ body: 'ref={referenceId}' }, { serialization: 'alternative' }).body).toBe('ref=ORDER-1');
  });
});

test('the function webhook.body does not receive an undocumented status', () => {
  const webhook = { url: 'https://shop.example', body: () => '{}' };
  const write = () => writeWebhook(payment, { ...content, decoy: 'UNPAID' }, webhook);

  expect(write).toThrow('the function webhook.body cannot write the undocumented status');
});

describe('the option webhook.template', () => {
  const refusal = (template: unknown) => {
    try {
      createMockService({
        webhook: { url: 'https://shop.example', template: template as Webhook['template'] },
      });
    } catch (error) {
      return String(error);
    }
    return 'accepted';
  };

  test.each<[string, unknown]>([
    ['webhook.template.body', { body: { a: [{ b: 'x {orderId} y' }] } }],
    ['webhook.template.body', { body: '{"a":"{orderId}"}' }],
    ['webhook.template.headers', { headers: { 'X-Order': '{orderId}' } }],
  ])('refuses an unknown placeholder by name, with the known placeholders: %s', (option, template) => {
    expect(refusal(template)).toContain(
      `${option} has unknown placeholders: {orderId}; the known placeholders are {id}, {event}, `,
    );
  });

  test.each<[unknown, string]>([
    ['{', " must be an object, such as { body: { referenceId: '{referenceId}' } }"],
    [{ header: 'a b' }, '.header must be the name of a header, such as Signature'],
    [{ header: 'Host' }, '.header must be the name of a header, such as Signature'],
    [{ encoding: 'HEX' }, ".encoding must be 'hex', 'hex-upper', 'base64' or 'base64url'"],
    [{ headers: 'X-Trace: 1' }, '.headers must be an object whose values are strings'],
    [{ headers: { 'X-Trace': 1 } }, '.headers.X-Trace must be a string; got a number'],
    [{ status: 'PAID' }, ".status must be an object, such as { paid: 'SUCCESS' }"],
    [{ status: { paid: true } }, '.status.paid must be a string or a number'],
    [{ status: { refunded: 'BACK' } }, '.status.refunded'],
    [{ body: [] }, '.body must be a JSON object or a string'],
  ])('refuses %j: %s', (template, message) => {
    expect(refusal(template)).toContain(`webhook.template${message}`);
  });
});

describe('the signed text of a template', () => {
  test('can begin with the time at which the webhook was made, which the prefix also contains', () => {
    const { body, headers } = written({ prefix: 't={timestamp},v1=', signed: '{timestamp}.{body}' });
    expect(headers['Signature']).toBe(`t=1,v1=${hmacSha256(`1.${body}`, 'demo-secret')}`);
  });

  test('can be the sorted fields of an object in the body, with the signature in the body and in no header', () => {
    const { body, headers } = written({
      signed: '{sorted.data}',
      body: { data: { status: '{status}', amount: '{amount.value}', at: null }, sign: '{signature}' },
    });
    expect(JSON.parse(body)).toMatchObject({
      sign: hmacSha256('amount=12000000&at=&status=paid', 'demo-secret'),
    });
    expect(headers).not.toHaveProperty('Signature');
  });

  test('can be the sorted fields of the body without the signature, or one text in it', () => {
    const whole = written({ signed: '{sorted}', body: { b: 1, a: 'x', sign: '{signature}' } });
    expect(JSON.parse(whole.body)).toEqual({ b: 1, a: 'x', sign: hmacSha256('a=x&b=1', 'demo-secret') });
    const part = written({ signed: '{body.data}', body: { data: '{"id":"{referenceId}"}' } });
    expect(part.headers['Signature']).toBe(hmacSha256('{"id":"ORDER-1"}', 'demo-secret'));
  });

  test('can be the sorted names and values of the body or of an object in it, without separators', () => {
    const whole = written({ signed: '{concatenated}', body: { b: 1, a: 'x', sign: '{signature}' } });
    expect(JSON.parse(whole.body)).toMatchObject({ sign: hmacSha256('axb1', 'demo-secret') });
    const part = written({ signed: '{concatenated.data}', body: { data: { b: null, a: 'x' } } });
    expect(part.headers['Signature']).toBe(hmacSha256('axb', 'demo-secret'));
  });

  test('is what a forgery signs with another key, and has its place in the body', () => {
    const { body } = written(
      { signed: '{timestamp}{body}', body: { status: '{status}', sign: '{signature}' } },
      { forgery: 'zeros' },
      { ...payment, status: 'declined' },
    );
    expect(JSON.parse(body)).toEqual({ status: 'paid', sign: '0'.repeat(64) });
    const other = written({ signed: 'v0:{body}' }, { forgery: 'other-key' });
    expect(other.headers['Signature']).toBe(hmacSha256(`v0:${other.body}`, 'the key of another merchant'));
  });

  test.each([
    [{ signed: '{header}' }, 'webhook.template.signed has unknown placeholders: {header}'],
    [{ prefix: '{body}' }, 'webhook.template.prefix has unknown placeholders: {body}'],
    [{ headers: { 'X-Sign': '{signature}' } }, 'has unknown placeholders: {signature}'],
  ])('has no other placeholders: %j', (template, problem) => {
    expect(() => createMockService({ webhook: { url: 'https://shop.example', template } })).toThrow(problem);
  });
});
