import { byteOrderMark } from '../../../values/encodings.js';
import { jsonIn, tryTo } from '../../../values/untrusted-values.js';
import { listed, rows } from '../row.js';
import type { RefusedRequest } from '../types.js';
import { percentEncodings, pythonRepr } from './rewrites.js';
import { allLanguages, type Text, type TextRow } from './signed-texts.js';

// Changes of the whole text, of a payment or an upload: its ends, its bytes, and other parts of the request beside it.

// Each run of white space is looked at once, however long it is.
const endsInWhite = /^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g;

const texts = rows<string, Text>;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
/** As str() of Python writes bytes. */
const pythonBytes = (text: string) =>
  `b${pythonRepr(Buffer.from(text).toString('latin1'), /[\\'"]|[^ -~]/g)}`;

const stringInside = (text: string) => {
  const value = jsonIn(text);
  return typeof value === 'string' ? value : undefined;
};

/** The usual ones first. */
const changes: readonly TextRow[] = [
  ...texts('line-breaks.end', 'The signed text ends with % that was not sent.', [
    ['a line feed (LF)', (text) => `${text}\n`, 'shell go python'],
    ['CR LF', (text) => `${text}\r\n`],
  ]),
  ...texts('line-breaks.end', 'The signed text has no %; the text that was sent has.', [
    ['line break at its end', (text) => text.replace(/\r?\n$/, ''), allLanguages],
    ['white space at its ends', (text) => text.replaceAll(endsInWhite, '')],
  ]),
  ...texts('line-breaks', 'The signed text has %.', [
    ['CR LF where LF was sent', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
    ['LF where CR LF was sent', (text) => text.replaceAll('\r\n', '\n')],
  ]),
  ...texts('byte-order-mark', 'The % begins with a byte order mark (U+FEFF).', [
    ['signed text', (text) => byteOrderMark + text],
    ['text that was sent', (text) => text.replace(/^\uFEFF/, '')],
  ]),
  ...texts('body-encoding', 'The signed text is encoded as %; it was sent as UTF-8.', [
    ['Latin-1, with ? for other characters', (text) => latin1(text.replaceAll(/[^\0-\xff]/gu, '?'))],
    ['UTF-8 twice', (text) => Buffer.from(text).toString('latin1')],
    ['UTF-16LE', utf16],
    ['UTF-16LE with a byte order mark', (text) => utf16(byteOrderMark + text)],
  ]),
  ...texts('body-encoding', 'The text was signed as UTF-8 and sent as UTF-8 twice.', [
    ['', (text) => latin1(text).toString()],
  ]),
  ...texts('unicode-normalised', 'The signed text is in the Unicode form %; the text that was sent is not.', [
    ['NFC', (text) => text.normalize('NFC')],
    ['NFD', (text) => text.normalize('NFD')],
  ]),
  ...texts('body-wrapped', 'The signed text %.', [
    ['is a JSON string that holds the text: it was serialised twice', (text) => JSON.stringify(text)],
    ['is a JSON string of PHP that holds the text', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
    ["is Python's b'…' around the text (str() of bytes)", pythonBytes],
    ['is an object that holds the text as data', (text) => `{"data":${text}}`],
  ]),
  ...texts(
    'body-wrapped.sent',
    'The body that was sent is JSON encoded twice: the JSON inside its string was signed.',
    [['', stringInside]],
  ),
  ...texts('body-encoded', 'The % of the text was signed instead of the text.', [
    ['base64', base64],
    ['hex', (text) => Buffer.from(text).toString('hex')],
    [
      'base64 with a line feed after every 76 characters',
      (text) => base64(text).replaceAll(/.{1,76}/g, '$&\n'),
    ],
  ]),
  ...texts('url-encoded', 'The signed text is % as a whole; it was not sent so.', [
    ...percentEncodings.map(([what, encode]) => [what, encode] as const),
    ['percent-decoded', (text) => tryTo(() => decodeURIComponent(text)), 'php'],
  ]),
  ...texts('body-empty', 'An empty text was signed.', [['', () => '']]),
  ...listed(
    'body-placeholder',
    'The text % was signed instead of what was sent.',
    `{} | [] | null | undefined | None | Array | [object Object] | [object FormData] | [object Promise]
     | System.Net.Http.StringContent | System.Net.Http.MultipartFormDataContent`,
  ),
];

/** The text with another part of the request, as other gateways have it signed. */
function added({ merchant, request }: RefusedRequest): TextRow[] {
  const parts = {
    'the Request-Time': request?.requestTime,
    'the Client-Id': merchant.clientId,
    'the path': request?.path,
    'the secret key': merchant.secretKeys[0],
  };
  const joined = Object.entries(parts).flatMap(([name, value]) =>
    ['', '.', '|', '\n'].flatMap((mark) => {
      if (value === undefined) return [];
      const by = mark && `, joined by ${JSON.stringify(mark)}`;
      return [
        [`${name} and the text${by}`, (text: string) => value + mark + text],
        [`the text and ${name}${by}`, (text: string) => text + mark + value],
      ] as const;
    }),
  );
  return texts('text-added', 'The signed text is made of %.', [
    ...joined,
    ['the text, "&key=" and the secret key', (text) => `${text}&key=${merchant.secretKeys[0]}`],
  ]);
}

export function wholeTextRows(refused: RefusedRequest): TextRow[] {
  return [...changes, ...added(refused)];
}
