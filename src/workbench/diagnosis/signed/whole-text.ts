import { byteOrderMark } from '../../../values/encodings.js';
import { tryParseJson } from '../../../values/untrusted-values.js';
import { listed, rows, type Row } from '../row.js';
import type { RefusedRequest } from '../../../mock/observation.js';
import { inAscii, phpDefault } from './json-layouts.js';
import { percentEncodings, pythonRepr } from './rewrites.js';
import { onText, type List, type Text } from './candidates.js';

// Changes of the whole text, of a payment or an upload: its ends, its bytes, and other parts of the request beside it.

const texts = rows<string, Text>;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** As str() of Python writes bytes. */
const pythonBytes = (text: string) =>
  `b${pythonRepr(Buffer.from(text).toString('latin1'), /[\\'"]|[^ -~]/g)}`;

const stringInside = (text: string) => {
  const value = tryParseJson(text);
  return typeof value === 'string' ? value : undefined;
};

const ends: readonly Row<string, Text>[] = [
  ...texts('line-breaks.end', 'The signed text ends with % that was not sent.', [
    ['a line feed (LF)', (text) => `${text}\n`],
    ['CR LF', (text) => `${text}\r\n`],
  ]),
  ...texts('line-breaks', 'The signed text has %.', [
    ['CR LF where LF was sent', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
    ['LF where CR LF was sent', (text) => text.replaceAll('\r\n', '\n')],
    [
      'one space for all white space in a row, and a line feed at its end (echo $body of a shell)',
      (text) => `${text.replaceAll(/[ \t\n]+/g, ' ').replaceAll(/^ | $/g, '')}\n`,
      'line-breaks.shell',
    ],
  ]),
  ...texts('byte-order-mark', 'The % begins with a byte order mark (U+FEFF).', [
    ['signed text', (text) => byteOrderMark + text],
    ['text that was sent', (text) => text.replace(/^\uFEFF/, '')],
  ]),
  ...texts('line-breaks.end', 'The signed text has no white space at its ends; the text that was sent has.', [
    ['', (text) => text.trim()],
  ]),
  ...texts('unicode-normalised', 'The signed text is in the Unicode form %; the text that was sent is not.', [
    ['NFC', (text) => text.normalize('NFC')],
    ['NFD', (text) => text.normalize('NFD')],
  ]),
];

const wraps: readonly Row<string, Text>[] = [
  ...texts('body-wrapped', 'The signed text is % that holds the text: it was serialised twice.', [
    ['a JSON string', (text) => JSON.stringify(text)],
    ['a JSON string of PHP', (text) => phpDefault(JSON.stringify(text))],
    ['a JSON string with \\u escapes', (text) => inAscii(JSON.stringify(text))],
  ]),
  ...texts('body-wrapped.bytes', "The signed text is Python's b'…' around the text (str() of bytes).", [
    ['', pythonBytes],
  ]),
  ...texts(
    'body-wrapped.sent',
    'The body that was sent is JSON encoded twice: the JSON inside its string was signed.',
    [['', stringInside]],
  ),
  ...texts('body-encoded', 'The % of the text was signed instead of the text.', [
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['hex', (text) => Buffer.from(text).toString('hex')],
  ]),
  ...texts('url-encoded', 'The signed text is % as a whole; it was not sent so.', percentEncodings),
];

const encodings: readonly Row<string, Text>[] = [
  ...texts('body-encoding', 'The signed text is encoded as %; it was sent as UTF-8.', [
    ['Latin-1, with ? for other characters', (text) => latin1(text.replaceAll(/[^\0-\xff]/gu, '?'))],
    ['US-ASCII, with ? for other characters', (text) => text.replaceAll(/[^\0-\x7f]/gu, '?')],
    ['UTF-8 twice', (text) => Buffer.from(text).toString('latin1')],
    ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
  ]),
  ...texts('body-encoding', 'The text was signed as UTF-8 and sent as UTF-8 twice.', [
    ['', (text) => latin1(text).toString()],
  ]),
];

/** The text with another part of the request, as other gateways have it signed. */
function added({ merchant, request }: RefusedRequest): Row<string, Text>[] {
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

/** Texts that were signed instead of what was sent. */
const others: readonly Row<string, Text>[] = [
  ...texts('body-empty', 'An empty text was signed.', [['', () => '']]),
  ...texts(
    'body-placeholder',
    'The text % was signed instead of what was sent.',
    listed(`{} | [] | null | undefined | None | Array | [object Object] | [object FormData] | [object Promise]
      | System.Net.Http.StringContent | System.Net.Http.MultipartFormDataContent`),
  ),
];

/** Changes of the whole text, in the order in which they are made. */
export function wholeTextLists(refused: RefusedRequest): readonly [List, ...List[]] {
  return [
    onText('freely', ends),
    onText('once', wraps),
    onText('once', encodings),
    onText('alone', [...added(refused), ...others]),
  ];
}
