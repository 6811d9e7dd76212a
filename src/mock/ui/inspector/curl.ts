import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import type { WireSwitches } from '../../../protocol/wire-switches.js';
import { isMerchantOperation } from '../../../protocol/endpoints.js';
import { headerNames } from '../../../protocol/headers.js';
import { mediaTypeOf } from '../../service/messages.js';
import { isWhole } from '../../state/kept-text.js';
import type { JournalEntry, JournalFile } from '../../state/journal-types.js';

/** A request as a command, or the reason why it cannot be one. */
export type CurlCommand = { readonly command: string } | { readonly reason: string };

/** The headers to repeat; curl sets the others. */
const repeatedHeaders = headerNames(({ journal }) => journal === 'repeated');

// The key comes from the shell, so that no page ever shows one.
const hmac = 'openssl dgst -sha256 -hmac "$INSTALLMENT_SECRET_KEY"';
const openssl = {
  hex: `${hmac} -r | cut -d' ' -f1`,
  base64: `${hmac} -binary | openssl base64 -A`,
} as const;

// A line feed inside quotes is safe to paste.
const unsafe = /(?!\n)[\p{Cc}\p{Cf}]/u;

/** A text as one word for bash or zsh. Control and invisible characters, which a terminal may act on, become escapes. */
export function shellWord(text: string): string {
  if (!unsafe.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/[\p{Cc}\p{Cf}\\'!]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => String.raw`\x` + byte.toString(16).padStart(2, '0')).join(''),
  );
  return `$'${escaped}'`;
}

type Switches = Pick<WireSwitches, 'signatureEncoding' | 'absentFields'>;

/** The command that sends a request again, signed with the key in the shell's environment. */
export function curlCommand(entry: JournalEntry, origin: string, switches: Switches = {}): CurlCommand {
  const { method, path, headers, fields, files = [], body = '' } = entry;
  const { signatureEncoding = 'hex', absentFields = 'empty' } = switches;
  const texts = [body, ...Object.entries(fields ?? {}).flat()];
  if (texts.some((text) => text.includes('\0')))
    return { reason: 'The request contains a NUL character, which a shell cannot pass on.' };
  if (!isWhole(entry))
    return { reason: `The journal does not have the whole ${fields ? 'of the form' : 'body'}.` };

  const [toSign, signing] = fields
    ? [shellWord(invoiceCanonicalString(fields, { absentFields })), openssl.hex]
    : ['"$BODY"', openssl[signatureEncoding]];
  const repeated = repeatedHeaders.filter((name) => headers[name] !== undefined);
  const header = (name: string) => `-H ${shellWord(`${name}: ${headers[name] ?? ''}`)}`;
  const formStrings = Object.entries(fields ?? {}).map(([name, text]) => shellWord(`${name}=${text}`));
  const words = [
    `curl --globoff -X ${shellWord(method)} ${shellWord(origin + path)}`,
    ...repeated.map(header),
    // With an empty value, curl sends no content type instead of its default.
    !fields && header('content-type'),
    isSigned(entry) && '-H "Signature: $SIGNATURE"',
    ...(fields ? formStrings.map((text) => `--form-string ${text}`) : ['--data-raw "$BODY"']),
    ...files.map((file) => `-F ${shellWord(filePart(file))}`),
  ];
  const lines = [
    !fields && `BODY=${shellWord(body)}`,
    isSigned(entry) && `SIGNATURE=$(printf %s ${toSign} | ${signing})`,
    words.filter(Boolean).join(' \\\n  '),
  ];
  return { command: lines.filter(Boolean).join('\n') };
}

/** Merchants sign their requests; how lenders authenticate is not documented. */
export function isSigned({ operation, own }: JournalEntry): boolean {
  return own === true || (operation !== undefined && isMerchantOperation(operation));
}

/** A file of the same name in the current folder, because the journal does not keep the bytes. */
function filePart({ field, name, type }: JournalFile): string {
  const base = name.replace(/^.*[\\/]/s, '');
  const mediaType = mediaTypeOf(type);
  const typed = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? `;type=${mediaType}` : '';
  return `${field}=@"${base.replaceAll('"', String.raw`\"`)}"${typed}`;
}
