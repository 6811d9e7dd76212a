import { endpoints } from '../../protocol/endpoints.js';
import { unicodeEscape } from '../../values/encodings.js';
import { writeHeaders } from '../../protocol/headers.js';
import { paymentRequestSchema } from '../../protocol/payment-schema.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { requestTime } from '../../protocol/timestamps.js';
import { wireSwitchesSchema } from '../../protocol/wire-switches.js';
import { shellWord } from '../../values/shell-word.js';
import { samplePaymentRequest } from './samples.js';
import type { MockClientOptions } from './client-options.js';

/** A signed request as a command that works as pasted. Pasted again, it is a repeat of the same request. */
export function firstRequest(
  url: string,
  clientOptions: Omit<MockClientOptions, 'fetch'>,
  now: Date,
): string {
  const { clientId, secretKey, merchantId, storeId, platformId, wire } = clientOptions;
  const { signatureEncoding, requestTimeOffset } = wireSwitchesSchema.parse(wire);
  const sample = samplePaymentRequest({ referenceId: 'FIRST-CURL', merchantId, storeId, platformId });
  // In ASCII, so that the encoding of the terminal cannot change the signed bytes.
  const body = JSON.stringify(paymentRequestSchema.parse(sample)).replaceAll(/[^\x20-\x7e]/g, unicodeEscape);
  const headers = writeHeaders({
    contentType: endpoints.initiatePayment.contentType,
    clientId,
    requestTime: requestTime(now, requestTimeOffset),
    signature: hmacSha256(body, secretKey, signatureEncoding),
    idempotencyKey: 'first-curl',
  });
  return [
    `curl -sS ${shellWord(url + endpoints.initiatePayment.path)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellWord(`${name}: ${value}`)}`),
    `  --data-raw ${shellWord(body)}`,
  ].join(' \\\n');
}
