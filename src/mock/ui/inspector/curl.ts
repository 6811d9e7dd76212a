import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import type { WireSwitches } from '../../../protocol/wire-switches.js';
import { isMerchantOperation } from '../../../protocol/endpoints.js';
import { mediaTypeOf } from '../../service/messages.js';
import { isWhole } from '../../state/journal.js';
import type { JournalEntry, JournalFile } from '../../state/journal-types.js';

/** A request as a command, or the reason why it cannot be one. */
export type CurlCommand = { readonly command: string } | { readonly reason: string };

/** The headers to repeat; curl sets the others. */
const repeatedHeaders = ['client-id', 'request-time', 'idempotency-key'] as const;

// The key comes from the shell, so that no page ever shows one.
const hmac = 'openssl dgst -sha256 -hmac "$INSTALLMENT_SECRET_KEY"';
const openssl = {
  hex: `${hmac} -r | cut -d' ' -f1`,
  base64: `${hmac} -binary | openssl base64 -A`,
} as const;
const signatureHeader = '-H "Signature: $SIGNATURE"';

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

/** The command that sends a request again, signed with the key in the shell's environment. */
export function curlCommand(
  entry: JournalEntry,
  origin: string,
  { signatureEncoding = 'hex', absentFields }: Pick<WireSwitches, 'signatureEncoding' | 'absentFields'> = {},
): CurlCommand {
  const texts = [entry.body ?? '', ...Object.entries(entry.fields ?? {}).flat()];
  if (texts.some((text) => text.includes('\0')))
    return { reason: 'The request contains a NUL character, which a shell cannot pass on.' };
  if (!isWhole(entry))
    return { reason: `The journal does not have the whole ${entry.fields ? 'of the form' : 'body'}.` };
  return entry.fields
    ? formCommand(
        entry,
        entry.fields,
        origin,
        invoiceCanonicalString(entry.fields, { ...(absentFields && { absentFields }) }),
      )
    : jsonCommand(entry, origin, openssl[signatureEncoding]);
}

function jsonCommand(entry: JournalEntry, origin: string, signing: string): CurlCommand {
  const { body = '', headers } = entry;
  const signed = isSigned(entry);
  return joined(
    [`BODY=${shellWord(body)}`, ...(signed ? [`SIGNATURE=$(printf %s "$BODY" | ${signing})`] : [])],
    [
      ...start(entry, origin),
      // With an empty value, curl sends no content type instead of its default.
      `-H ${shellWord(`content-type: ${headers['content-type'] ?? ''}`)}`,
      ...(signed ? [signatureHeader] : []),
      '--data-raw "$BODY"',
    ],
  );
}

function formCommand(
  entry: JournalEntry,
  fields: Readonly<Record<string, string>>,
  origin: string,
  canonical: string,
): CurlCommand {
  return joined(
    [`SIGNATURE=$(printf %s ${shellWord(canonical)} | ${openssl.hex})`],
    [
      ...start(entry, origin),
      signatureHeader,
      ...Object.entries(fields).map(([name, text]) => `--form-string ${shellWord(`${name}=${text}`)}`),
      ...(entry.files ?? []).map((file) => `-F ${shellWord(filePart(file))}`),
    ],
  );
}

/** Merchants sign their requests; how lenders authenticate is not documented. */
export function isSigned({ operation, own }: JournalEntry): boolean {
  return own === true || (operation !== undefined && isMerchantOperation(operation));
}

function start({ method, path, headers }: JournalEntry, origin: string): string[] {
  return [
    `curl --globoff -X ${shellWord(method)} ${shellWord(origin + path)}`,
    ...repeatedHeaders.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [`-H ${shellWord(`${name}: ${value}`)}`];
    }),
  ];
}

/** A file of the same name in the current folder, because the journal does not keep the bytes. */
function filePart({ field, name, type }: JournalFile): string {
  const base = name.replace(/^.*[\\/]/s, '');
  const mediaType = mediaTypeOf(type);
  const typed = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? `;type=${mediaType}` : '';
  return `${field}=@"${base.replaceAll('"', String.raw`\"`)}"${typed}`;
}

function joined(before: readonly string[], words: readonly string[]): CurlCommand {
  return { command: [...before, words.join(' \\\n  ')].join('\n') };
}
