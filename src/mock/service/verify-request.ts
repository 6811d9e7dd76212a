import { timingSafeEqual } from 'node:crypto';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { headerNames } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { diagnoseForm, diagnoseJson } from '../diagnosis/diagnose.js';
import type { Diagnosis } from '../diagnosis/types.js';
import type { Incoming } from './delivery.js';
import { Merchant } from './merchants.js';
import type { FormMessage, JsonMessage } from './messages.js';
import { refusal, type Refusal } from './refusal.js';

type Merchants = ReadonlyMap<string, Merchant>;

function merchantOf(incoming: Incoming, merchants: Merchants): Merchant | undefined {
  return merchants.get(incoming.header(headerNames.clientId) ?? '');
}

/** The merchant of a request whose client is known; which client that is, its header alone says. */
export function verifyClient(incoming: Incoming, merchants: Merchants): Merchant | Refusal {
  const merchant = merchantOf(incoming, merchants);
  return merchant ?? refusal('INVALID_CLIENT_ID', 'The Client-Id header names no registered client.');
}

/** Compares in constant time, as a service that keeps its secret would. */
function isSame(signature: string, expected: string): boolean {
  const received = Buffer.from(signature);
  const wanted = Buffer.from(expected);
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}

function badSignature(diagnosis: Diagnosis): Refusal {
  const resultMsg = 'The Signature header does not match the request.';
  return { resultStatus: 'INVALID_SIGNATURE', resultMsg, diagnosis };
}

/** Refuses a JSON request whose signature is not that of its bytes. */
export function verifyJson(
  message: JsonMessage,
  incoming: Incoming,
  merchant: Merchant,
  merchants: Merchants,
): Refusal | undefined {
  const signature = incoming.header(headerNames.signature);
  if (signature !== undefined && isSame(signature, hmacSha256(message.bytes, merchant.key))) return undefined;
  const known = { merchant, others: othersOf(merchant, merchants), signature, request: incoming };
  return badSignature(diagnoseJson(message, known));
}

/** Refuses an upload whose signature is not that of its canonical string. */
export function verifyForm(
  message: FormMessage,
  incoming: Incoming,
  merchant: Merchant,
  merchants: Merchants,
): Refusal | undefined {
  const signature = incoming.header(headerNames.signature);
  const canonical = invoiceCanonicalString(message.fields);
  if (signature !== undefined && isSame(signature, hmacSha256(canonical, merchant.key))) return undefined;
  const known = { merchant, others: othersOf(merchant, merchants), signature, request: incoming };
  return badSignature(diagnoseForm(message, canonical, known));
}

function othersOf(merchant: Merchant, merchants: Merchants): Merchant[] {
  return [...merchants.values()].filter((other) => other !== merchant);
}
