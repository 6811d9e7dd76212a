import { createHmac, createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HashKey } from '../../../src/mock/diagnosis/digest/hashings.js';
import { diagnoseForm, diagnoseJson } from '../../../src/mock/diagnosis/diagnose.js';
import type { Diagnosis, RefusedRequest } from '../../../src/mock/diagnosis/types.js';

export const secretKey = 'demo-secret';

export const merchant = { clientId: 'demo-client', merchantId: 'DEMO-MERCHANT', secretKey };
export const otherMerchant = { clientId: 'other-client', merchantId: 'OTHER', secretKey: 'other-secret' };

export const requestTime = '2026-11-20 10:04:05';
/**
 * An order, and what the libraries of other languages make of it: written once by the versions that the file names, with
 * the same data and the calls that are the names of its members. Bytes that are not UTF-8 are in base64.
 */
interface Serialisations {
  readonly sent: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly [language: string]: Readonly<Record<string, string>> | string;
}

export const serialisations = JSON.parse(
  readFileSync(new URL('serialisations.json', import.meta.url), 'utf8'),
) as Serialisations;

/** The body that was sent, in compact JSON with every character as it is. */
export const sent = serialisations.sent;

export function hmac(
  text: string | Uint8Array,
  key: string | Uint8Array = secretKey,
  algorithm = 'sha256',
): Buffer {
  return createHmac(algorithm, key).update(text).digest();
}

export function hex(text: string | Uint8Array, key: string | Uint8Array = secretKey): string {
  return hmac(text, key).toString('hex');
}

/** The diagnosis of a payment that was signed wrongly. */
export function ofPayment(
  signature: string,
  body: string | Buffer = sent,
  changes: Partial<RefusedRequest> = {},
): Diagnosis {
  return diagnoseJson(Buffer.from(body), { ...refused('/v2/payments', signature), ...changes });
}

/** The diagnosis of an upload that was signed wrongly. */
export function ofUpload(
  signature: string,
  fields: Readonly<Record<string, string>>,
  changes: Partial<RefusedRequest> = {},
  file = '%PDF-1.4',
): Diagnosis {
  const files = [{ name: 'invoice.pdf', bytes: Buffer.from(file) }];
  const form = { bytes: Buffer.from('--boundary\r\n'), fields, files };
  return diagnoseForm(form, { ...refused('/v2/payments/upload-invoice', signature), ...changes });
}

function refused(path: string, signature: string): RefusedRequest {
  const headers = { requestTime, idempotencyKey: 'key-1', contentType: 'application/json' };
  const request = { method: 'POST', path, ...headers };
  return { merchant, others: [otherMerchant], signature, request };
}

export function keyOf(bytes: Buffer): HashKey {
  return { bytes, key: createSecretKey(bytes) };
}
