import { randomBytes } from 'node:crypto';
import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import { endpoints } from '../../../protocol/endpoints.js';
import { hmacSha256, uploadEncoding } from '../../../protocol/signature.js';
import { secretKeyObject } from '../../../validation/secret-key.js';
import { unicodeEscape } from '../../../values/encodings.js';
import { isRecord } from '../../../values/untrusted-values.js';
import type { Form, ProbeRequest } from '../judge/transcript.js';

/** A merchant's sandbox, and the data that is sent to it. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secretKey: string;
  readonly merchantId: string;
  readonly storeId?: string | undefined;
  /** A whole order as it is sent. The probe replaces its reference and description. */
  readonly order: Readonly<Record<string, unknown>>;
}

/** A request in the form in which it is sent. */
export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

// A service must refuse signatures with this key, because no merchant has the key.
const otherKey = randomBytes(32).toString('hex');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/** Serializes JSON in the default style of Python. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, unicodeEscape);
  const members = Object.entries(value).map(([name, each]) => `${spaced(name)}: ${spaced(each)}`);
  return `{${members.join(', ')}}`;
}

const write: Readonly<Record<Form['writing'], (order: object) => string>> = {
  compact: (order) => JSON.stringify(order),
  indented: (order) => `${JSON.stringify(order, undefined, '\t')}\n`,
  sorted: (order) => JSON.stringify(sorted(order)),
  spaced: (order) => spaced(sorted(order)),
};

function keyFor({ sender, secretKeyEncoding }: ProbeRequest, { secretKey }: Sandbox) {
  return sender === 'wrong signature' ? otherKey : secretKeyObject(secretKey, secretKeyEncoding);
}

function orderBody(request: ProbeRequest, sandbox: Sandbox, nonce: number): Buffer {
  const { referenceId, content, writing } = request;
  const own = { referenceId, description: `Probe ${nonce}` };
  const { merchantId } = sandbox;
  return Buffer.from(
    write[writing](content === 'whole' ? { ...sandbox.order, ...own } : { merchantId, ...own }),
  );
}

/**
 * Signs an order. The description of the order is varied until the signature in base64 contains both + and /, so that
 * the signature in base64url is different.
 */
function signedOrder(request: ProbeRequest, sandbox: Sandbox) {
  const key = keyFor(request, sandbox);
  for (let nonce = 1; ; nonce += 1) {
    const body = orderBody(request, sandbox, nonce);
    if (/\+.*\/|\/.*\+/.test(hmacSha256(body, key, 'base64')))
      return {
        body,
        contentType: 'application/json',
        signature: hmacSha256(body, key, request.signatureEncoding),
      };
  }
}

const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';

function signedUpload(request: ProbeRequest, sandbox: Sandbox) {
  const { referenceId, content, absentFields, signatureEncoding } = request;
  const { merchantId, storeId } = sandbox;
  const fields = { merchantId, referenceId, ...(storeId !== undefined && { storeId }) };
  const boundary = `probe-${randomBytes(12).toString('hex')}`;
  const parts = Object.entries(fields).map(([name, value]) => `form-data; name="${name}"\r\n\r\n${value}`);
  if (content === 'whole')
    parts.push(`form-data; name="file"; filename="probe.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf}`);
  const text = parts.map((part) => `--${boundary}\r\nContent-Disposition: ${part}\r\n`).join('');
  return {
    body: Buffer.from(`${text}--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
    signature: hmacSha256(
      invoiceCanonicalString(fields, { absentFields }),
      keyFor(request, sandbox),
      uploadEncoding(signatureEncoding),
    ),
  };
}

/** Converts an offset such as `+07:00` to milliseconds. */
function offsetMs(offset: string): number {
  const [, sign = '', hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Builds and signs a request. Its Request-Time is `now`, at the offset of the request. */
export function wireRequest(request: ProbeRequest, sandbox: Sandbox, now: Date): WireRequest {
  const { operation, sender, idempotencyKey, offset } = request;
  const make = operation === 'initiatePayment' ? signedOrder : signedUpload;
  const { body, contentType, signature } = make(request, sandbox);
  const time = new Date(now.getTime() + offsetMs(offset)).toISOString();
  return {
    url: sandbox.baseUrl + endpoints[operation].path,
    body,
    headers: {
      'Content-Type': contentType,
      'Client-Id': sender === 'unknown client' ? `PROBE-${otherKey.slice(0, 12)}` : sandbox.clientId,
      'Request-Time': time.slice(0, 19).replace('T', ' '),
      Signature: signature,
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
  };
}
