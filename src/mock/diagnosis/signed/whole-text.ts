import { byteOrderMark } from '../../../values/encodings.js';
import { rows, type Row } from '../row.js';
import type { RefusedRequest } from '../types.js';
import {
  before,
  behind,
  digestOf,
  hashed,
  htmlEscapes,
  inside,
  percentDecoded,
  percentEncodings,
  pythonRepr,
  replaced,
  without,
  withoutEnds,
  written,
  type Rewrite,
} from './rewrites.js';

// Changes of the whole text, of a payment or an upload: its ends, its bytes, and other parts of the request beside it.

/** A text, and what was signed instead of it: another text, or other bytes than its UTF-8. */
export type TextRow = Row<string, string | Uint8Array>;
const texts = rows<string, string | Uint8Array>;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const ends: readonly TextRow[] = [
  ...texts('line-breaks.end', 'The signed text ends with % that was not sent.', [
    ['a line feed (LF)', behind('\n')],
    ['CR LF', behind('\r\n')],
  ]),
  ...texts('line-breaks.end', 'The signed text has no %; the text that was sent has.', [
    ['white space at its ends', withoutEnds],
    ['line break at its end', without(/\r?\n$/g)],
  ]),
];

const recoded: readonly TextRow[] = [
  ...texts('line-breaks', 'The signed text has %.', [
    ['CR LF where LF was sent', replaced(/\r?\n/g, '\r\n')],
    ['LF where CR LF was sent', replaced('\r\n', '\n')],
    ['no line breaks; the text that was sent has', without(/[\r\n]+/g)],
    ['\\n, a backslash and a letter, where line feeds were sent', replaced('\n', '\\n')],
    ['line feeds where \\n, a backslash and a letter, was sent', replaced('\\n', '\n')],
  ]),
  ...texts('byte-order-mark', 'The % begins with a byte order mark (U+FEFF).', [
    ['signed text', before(byteOrderMark)],
    ['text that was sent', without(/^\uFEFF/g)],
  ]),
  ...texts('body-encoding', 'The signed text is encoded as %; it was sent as UTF-8.', [
    ['Latin-1, with ? for other characters', (text) => latin1(text.replaceAll(/[^\0-\xff]/gu, '?'))],
    ['ASCII, with ? for other characters', replaced(/[^\0-\x7f]/gu, '?')],
    ['UTF-16LE', utf16],
    ['UTF-8 twice', written('latin1')],
    ['Latin-1, with the low byte of other characters', latin1],
    ['UTF-16BE', (text) => utf16(text).swap16()],
    ['UTF-16LE with a byte order mark', (text) => utf16(byteOrderMark + text)],
    ['ASCII, without other characters', without(/[^\0-\x7f]/gu)],
    ['ASCII, with ? for each half of an emoji too', replaced(/[^\0-\x7f]/g, '?')],
    ['UTF-8 without emoji and other characters of four bytes', without(/[\u{10000}-\u{10ffff}]/gu)],
  ]),
  ...texts('unicode-normalised', 'The signed text is in the Unicode form %; the text that was sent is not.', [
    ['NFC', (text) => text.normalize('NFC')],
    ['NFD', (text) => text.normalize('NFD')],
  ]),
];

// As str() of Python writes bytes.
const pythonText: Rewrite = (text) => `b${pythonRepr(written('latin1')(text), /[\\'"]|[^ -~]/g)}`;
const phpText: Rewrite = (text) => JSON.stringify(text).replaceAll('/', '\\/');
const hashes = ['SHA256', 'MD5', 'SHA1', 'SHA512'].flatMap((name) =>
  Object.entries(hashed(name)).map(([form, hash]) => [`${name} hash of the text (${form})`, hash] as const),
);

const wrapped: readonly TextRow[] = [
  ...texts('body-wrapped', 'The signed text %.', [
    ['is a JSON string that holds the text: it was serialised twice', (text) => JSON.stringify(text)],
    ['is a JSON string of PHP that holds the text: it was serialised twice', phpText],
    ["is Python's b'…' around the text (str() of bytes)", pythonText],
    ['stands in single quotes', inside("'")],
    ['stands in double quotes', inside('"')],
    ['is an array with the text as its only element', inside('[', ']')],
    ['is an object that holds the text as data', inside('{"data":', '}')],
    ['is preceded by data=', before('data=')],
  ]),
  ...texts('body-encoded', 'The % of the text was signed instead of the text.', [
    ['base64', written('base64')],
    ['URL-safe base64', written('base64url')],
    ['hex', written('hex')],
    [
      'base64 with a line feed after every 76 characters',
      (text) => written('base64')(text).replaceAll(/.{1,76}/g, '$&\n'),
    ],
  ]),
  ...texts('body-hashed', 'The % was signed instead of the text.', [
    ...hashes,
    ['SHA256 hash of the text (raw bytes)', (text) => digestOf('SHA256', text)],
  ]),
];

const rewritten: readonly TextRow[] = [
  ...texts('url-encoded', 'The signed text is % as a whole; it was not sent so.', percentEncodings),
  ...texts('html-escaped', 'The signed text is % as a whole; it was not sent so.', htmlEscapes),
  ...texts('text-changed', 'The signed text was %; it was sent otherwise.', [
    ['percent-decoded', percentDecoded],
    ['written in lower case', (text) => text.toLowerCase()],
    ['written in upper case', (text) => text.toUpperCase()],
    ['given a backslash before each quotation mark (addslashes)', replaced(/["'\\]/g, '\\$&')],
    ['rid of its backslashes (stripslashes)', replaced(/\\(.?)/g, '$1')],
    ['rid of all white space, also inside its values', without(/\s+/g)],
    ['rid of its quotation marks (a shell removed them)', without('"'), { fix: 'quotes-removed' }],
  ]),
];

/** Orders in which gateways have the parts of a request signed. */
const orders =
  'time text, text time, secret text, text secret, client text, text client, merchant text, text merchant, path text, text path, idempotency text, text idempotency, method path text, method path time text, method path text time, time method path text, time path text, path time text, client time text, time client text, client text time, secret time text, secret text secret, client secret text, method path time hash, method path hash, client time hash, time hash'.split(
    ', ',
  );

/** The text among other parts of the request. */
function inSequence({ merchant, request }: RefusedRequest): TextRow[] {
  const parts: Readonly<Record<string, readonly [name: string, value: Rewrite | string | undefined]>> = {
    time: ['the Request-Time', request?.requestTime],
    secret: ['the secret key', merchant.secretKey],
    client: ['the Client-Id', merchant.clientId],
    merchant: ['the merchantId', merchant.merchantId],
    idempotency: ['the Idempotency-Key', request?.idempotencyKey],
    path: ['the path', request?.path],
    method: ['the method', request?.method],
    text: ['the text', (text) => text],
    hash: ['the SHA-256 hash of the text (hex)', hashed('sha256').hex],
  };
  return orders.flatMap((names) =>
    ['', '.', '\n', '|', ':', '&', ',', '-'].flatMap((mark): TextRow[] => {
      const sequence = names.split(' ').map((name) => parts[name] ?? [name, undefined]);
      if (sequence.some(([, value]) => value === undefined)) return [];
      const join: Rewrite = (text) =>
        sequence.map(([, part]) => (typeof part === 'function' ? part(text) : part)).join(mark);
      const by = mark === '' ? 'with nothing between them' : `joined by ${JSON.stringify(mark)}`;
      const what = sequence.map(([name]) => name).join(', ');
      return texts('text-added', 'The signed text is made of %.', [[`${what}, ${by}`, join]]);
    }),
  );
}

/** As gateways of the region have a key, a time or a client appended; `key` is the usual name. */
function asFields({ merchant, request }: RefusedRequest): TextRow[] {
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    ...['key', 'secret', 'secretKey', 'secret_key'].map((name) => [name, merchant.secretKey] as const),
    ['requestTime', request?.requestTime],
    ['timestamp', request?.requestTime],
    ['clientId', merchant.clientId],
  ];
  return fields.flatMap(([name, value]) =>
    value === undefined
      ? []
      : texts('text-added', 'The signed text is %.', [
          [`followed by &${name}= and its value`, behind(`&${name}=${value}`)],
          [`preceded by ${name}=, its value and &`, before(`${name}=${value}&`)],
        ]),
  );
}

/** The usual ones first: pairs with other mistakes are tried in this order. */
export function wholeTextRows(refused: RefusedRequest): TextRow[] {
  const sequences = inSequence(refused);
  const [usual, others] = [sequences.slice(0, 16), sequences.slice(16)];
  return [...ends, ...usual, ...recoded, ...asFields(refused), ...wrapped, ...others, ...rewritten];
}
