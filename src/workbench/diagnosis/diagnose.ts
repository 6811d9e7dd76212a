import { decodeUtf8 } from '../../values/encodings.js';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { hmacSha256, uploadEncoding } from '../../protocol/signature.js';
import { secretKeyObject } from '../../validation/secret-key.js';
import { explained, named, unexplained, unsigned, type Expectation } from './explanation.js';
import { isPlaceholder, readSignature, type ExpectedNotation } from './notations.js';
import { Search, waysOf, type Match } from './search.js';
import { withoutSecrets } from './secrets.js';
import type { Text, Texts } from './signed/drafts.js';
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
 * search.ts tries one row, then two of different lists, in bounded work. Another mistake is another row.
 */

/** Finds out why the signature of a JSON body was refused. */
export function diagnoseJson(bytes: Uint8Array, refused: RefusedRequest): Diagnosis {
  const text = decodeUtf8(bytes) ?? Buffer.from(bytes).toString();
  return diagnose(notationOfJson(refused), text, bytes, refused, () => matchJson(bytes, refused));
}

/** Finds out why the signature of an upload was refused. */
export function diagnoseForm(form: RefusedForm, refused: RefusedRequest): Diagnosis {
  const text = invoiceCanonicalString(form.fields, refused);
  return diagnose(notationOfForm(refused), text, text, refused, () => matchForm(form, refused));
}

/** The mistakes that lead to the signature of a JSON body. */
export function matchJson(bytes: Uint8Array, refused: RefusedRequest): Match | undefined {
  return matchOf(notationOfJson(refused), refused, () => paymentTexts(bytes, refused));
}

/** The mistakes that lead to the signature of an upload. */
export function matchForm(form: RefusedForm, refused: RefusedRequest): Match | undefined {
  return matchOf(notationOfForm(refused), refused, () => uploadTexts(form, refused));
}

function notationOfJson({ signatureEncoding = 'hex' }: RefusedRequest): ExpectedNotation {
  return { operation: 'payment', encoding: signatureEncoding };
}

function notationOfForm({ signatureEncoding = 'hex' }: RefusedRequest): ExpectedNotation {
  return { operation: 'upload', encoding: uploadEncoding(signatureEncoding) };
}

function matchOf<Data>(
  notation: ExpectedNotation,
  refused: RefusedRequest,
  texts: () => Texts<Data>,
): Match | undefined {
  const readings = readSignature(refused.signature ?? '', notation);
  return readings.length > 0 ? new Search(texts(), waysOf(refused), readings).run() : undefined;
}

function diagnose(
  notation: ExpectedNotation,
  text: string,
  signed: Text,
  refused: RefusedRequest,
  match: () => Match | undefined,
): Diagnosis {
  const { signature: received = '', merchant, others, secretKeyEncoding, absentFields = 'empty' } = refused;
  const key = secretKeyObject(merchant.secretKeys[0], secretKeyEncoding);
  const signature = hmacSha256(signed, key, notation.encoding);
  const secretKeys = [merchant, ...others].flatMap((each) => each.secretKeys);
  const expectation: Expectation = {
    ...notation,
    secretKeyEncoding,
    absentFields,
    text,
    signature,
    secretKeys,
  };
  if (received === '' || isPlaceholder(received)) return unsigned(expectation, received);
  const masked = withoutSecrets(received, secretKeys);
  const found = match();
  if (found) return explained(expectation, masked, found);
  if (masked !== received) {
    const says = 'The Signature header has a secret key in it, instead of a signature that was made with it.';
    return named(expectation, masked, 'secret-as-signature', says);
  }
  if (isPlaceholder(text)) {
    const says = `The body that arrived is the text ${text}: an object was turned into text while it was sent.`;
    return named(expectation, received, 'body-placeholder.sent', says);
  }
  return unexplained(expectation, received);
}
