import { describe, expect, test } from 'vitest';
import {
  frozenVectors,
  sentByLender,
  sentByMerchant,
  type FrozenInput,
  type LenderCall,
} from './helpers/frozen-calls.js';
import { invoiceCanonicalString, signInvoice } from '../src/entries/index.js';
import type { AbsentFields } from '../src/protocol/canonical-string.js';
import { parseMultipart } from './helpers/parse-multipart.js';

/**
 * These values do not change within a major version, and no test writes them. While two versions run side by side, a
 * payment whose outcome is unknown to one of them is repeated by the other: under another key it is paid twice.
 */
interface SignedVector {
  readonly name: string;
  readonly client: FrozenInput & { readonly wire?: { readonly absentFields?: AbsentFields } };
  readonly body: string;
  readonly signature: string;
}

interface PaymentVector extends SignedVector {
  readonly request: FrozenInput;
  readonly options?: FrozenInput;
  readonly idempotencyKey: string;
}

interface UploadVector extends SignedVector {
  readonly request: FrozenInput;
  readonly canonical: string;
  readonly contentType: string;
}

interface PostVector extends SignedVector {
  readonly path: string;
  readonly given: unknown;
  readonly options?: FrozenInput;
  readonly idempotencyKey: string | null;
}

interface NotificationVector extends LenderCall {
  readonly name: string;
  readonly body: string;
}

describe('version 1 sends the same bytes, signature and key as 1.0', () => {
  test.each(frozenVectors('payments.json') as PaymentVector[])('for a payment: $name', async (vector) => {
    const { client, request, options = {} } = vector;
    const sent = await sentByMerchant({
      client,
      operation: 'initiatePayment',
      arguments: [request, options],
    });
    expect({
      body: sent.body,
      signature: sent.headers.get('signature'),
      idempotencyKey: sent.headers.get('idempotency-key'),
    }).toEqual({
      body: vector.body,
      signature: vector.signature,
      idempotencyKey: vector.idempotencyKey,
    });
  });

  test.each(frozenVectors('uploads.json') as UploadVector[])('for an upload: $name', async (vector) => {
    const { client, request } = vector;
    const sent = await sentByMerchant({ client, operation: 'uploadInvoice', arguments: [request] });
    expect({
      body: sent.body,
      signature: sent.headers.get('signature'),
      contentType: sent.headers.get('content-type'),
    }).toEqual({ body: vector.body, signature: vector.signature, contentType: vector.contentType });

    const parts = await parseMultipart(vector.contentType, Buffer.from(vector.body));
    const texts = parts.filter(({ name }) => name !== 'file');
    const fields = Object.fromEntries(texts.map(({ name, bytes }) => [name, bytes.toString()]));
    const { absentFields } = client.wire ?? {};
    const switches = absentFields ? { absentFields } : {};
    expect(invoiceCanonicalString(fields, switches)).toBe(vector.canonical);
    expect(signInvoice(fields, String(client['secretKey']), switches)).toBe(vector.signature);
  });

  test.each(frozenVectors('posts.json') as PostVector[])('for a post: $name', async (vector) => {
    const { client, path, given, options = {} } = vector;
    const sent = await sentByMerchant({ client, operation: 'post', arguments: [path, given, options] });
    expect({
      body: sent.body,
      signature: sent.headers.get('signature'),
      idempotencyKey: sent.headers.get('idempotency-key'),
    }).toEqual({
      body: vector.body,
      signature: vector.signature,
      idempotencyKey: vector.idempotencyKey,
    });
  });

  test.each(frozenVectors('notifications.json') as NotificationVector[])(
    'for a notification: $name',
    async (vector) => {
      expect((await sentByLender(vector)).body).toBe(vector.body);
    },
  );
});
