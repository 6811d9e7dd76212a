import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import { uploadEncoding, type SignatureEncoding } from '../../protocol/signature.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import { isMerchantOperation } from '../../protocol/endpoints.js';
import { headerNames, mediaTypeOf } from '../../protocol/headers.js';
import { shellWord } from '../../values/shell-word.js';
import { isWhole, type JournalEntry, type JournalFile } from '../../mock/observation.js';

/** The headers that the command repeats. curl sets all other headers. */
const curlHeaders = headerNames(({ journal }) => journal === 'inCurl');

// The key comes from the shell, so that no page ever shows a key.
const decoded = String.raw`$(printf %s "$INSTALLMENT_SECRET_KEY" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')`;
const hmacs: Readonly<Record<SecretKeyEncoding, string>> = {
  utf8: '-hmac "$INSTALLMENT_SECRET_KEY"',
  hex: '-mac HMAC -macopt "hexkey:$INSTALLMENT_SECRET_KEY"',
  base64: `-mac HMAC -macopt "hexkey:${decoded}"`,
};
const outputs: Readonly<Record<SignatureEncoding, string>> = {
  hex: "-r | cut -d' ' -f1",
  'hex-upper': "-r | cut -d' ' -f1 | tr a-f A-F",
  base64: '-binary | openssl base64 -A',
  base64url: '-binary | openssl base64 -A | tr +/ -_ | tr -d =',
};

/**
 * The command that sends a request again, signed with the key in the shell's environment. Undefined if the journal
 * contains only a part of the request, or if the request contains a NUL character, which a shell cannot pass on.
 */
export function curlCommand(
  entry: JournalEntry,
  origin: string,
  wire: ResolvedWireSwitches,
): string | undefined {
  const { method, path, headers, fields, files = [], body = '' } = entry;
  const texts = [body, ...Object.entries(fields ?? {}).flat()];
  if (!isWhole(entry) || texts.some((text) => text.includes('\0'))) return undefined;

  const [toSign, signing] = fields
    ? [shellWord(invoiceCanonicalString(fields, wire)), outputs[uploadEncoding(wire.signatureEncoding)]]
    : ['"$BODY"', outputs[wire.signatureEncoding]];
  const repeated = curlHeaders.filter((name) => headers[name] !== undefined);
  const header = (name: string) => `-H ${shellWord(`${name}: ${headers[name] ?? ''}`)}`;
  const formStrings = Object.entries(fields ?? {}).map(([name, text]) => shellWord(`${name}=${text}`));
  const words = [
    `curl --globoff -X ${shellWord(method)} ${shellWord(origin + path)}`,
    ...repeated.map(header),
    // The empty value makes curl send no content type instead of its default.
    !fields && header('content-type'),
    isSigned(entry) && '-H "Signature: $SIGNATURE"',
    ...(fields ? formStrings.map((text) => `--form-string ${text}`) : ['--data-raw "$BODY"']),
    ...files.map((file) => `-F ${shellWord(filePart(file))}`),
  ];
  const lines = [
    !fields && `BODY=${shellWord(body)}`,
    isSigned(entry) &&
      `SIGNATURE=$(printf %s ${toSign} | openssl dgst -sha256 ${hmacs[wire.secretKeyEncoding]} ${signing})`,
    words.filter(Boolean).join(' \\\n  '),
  ];
  return lines.filter(Boolean).join('\n');
}

/** True for a request of a merchant, which is signed. How lenders authenticate is not documented. */
export function isSigned({ operation, headers }: JournalEntry): boolean {
  return operation === undefined ? headers['client-id'] !== undefined : isMerchantOperation(operation);
}

/**
 * The option for a file: a file of the same name in the current folder, because the journal does not keep the bytes.
 */
function filePart({ field, name, type }: JournalFile): string {
  const base = name.replace(/^.*[\\/]/s, '');
  const mediaType = mediaTypeOf(type);
  const typed = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? `;type=${mediaType}` : '';
  return `${field}=@"${base.replaceAll('"', String.raw`\"`)}"${typed}`;
}
