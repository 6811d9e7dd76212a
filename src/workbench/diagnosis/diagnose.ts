import { decodeUtf8 } from '../../values/encodings.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { hmacSha256, secretKeyObject, uploadEncoding } from '../../protocol/signature.js';
import { explained, unexplained, unsigned, type Expectation } from './explanation.js';
import { isPlaceholder, readSignature } from './notations.js';
import { search, signingsOf } from './search.js';
import type { Text, Texts } from './signed/candidates.js';
import { paymentTexts } from './signed/payment-texts.js';
import { uploadTexts } from './signed/upload-texts.js';
import type { Diagnosis, RefusedForm, RefusedRequest } from '../../mock/observation.js';

/*
 * An HMAC cannot be inverted. So the mistakes that merchants make are made again until the signature comes out. There are
 * four lists of rows:
 *
 * 1. what was signed (signed/): the same data as another library writes it, or another text;
 * 2. the key (keys.ts);
 * 3. the digest (digests.ts);
 * 4. the notation of the signature (notations.ts), which is peeled from what was received instead of tried.
 *
 * search.ts tries one row, then two of different lists, and so on, in bounded work. Another mistake is another row.
 */

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const { signatureEncoding: encoding = 'hex' } = refused;
  const text = decodeUtf8(bytes) ?? Buffer.from(bytes).toString();
  const expected = { operation: 'payment', encoding, text } as const;
  return diagnose(expected, bytes, refused, () => paymentTexts(bytes, refused));
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const encoding = uploadEncoding(refused.signatureEncoding ?? 'hex');
  const text = invoiceCanonicalString(form.fields, refused);
  const expected = { operation: 'upload', encoding, text } as const;
  return diagnose(expected, text, refused, () => uploadTexts(form, refused));
}

function diagnose(
  expected: Pick<Expectation, 'operation' | 'encoding' | 'text'>,
  signed: Text,
  refused: RefusedRequest,
  texts: () => Texts,
): Diagnosis {
  const { signature: received = '', merchant, secretKeyEncoding, absentFields = 'empty' } = refused;
  const key = secretKeyObject(merchant.secretKeys[0], secretKeyEncoding);
  const signature = hmacSha256(signed, key, expected.encoding);
  const expectation: Expectation = { ...expected, secretKeyEncoding, absentFields, signature };
  if (received === '' || isPlaceholder(received)) return unsigned(expectation, received);
  const readings = readSignature(received, expectation);
  const match = readings.length > 0 ? search(texts(), signingsOf(refused), readings) : undefined;
  return match
    ? explained(expectation, received, match, merchant.secretKeys)
    : unexplained(expectation, received);
}
