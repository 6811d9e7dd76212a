import { byteOrderMark } from '../../../values/encodings.js';
import { tryParseJson } from '../../../values/untrusted-values.js';
import { listed, rows, type Row } from '../row.js';
import type { RefusedRequest } from '../../../mock/observation.js';
import { inAscii, phpDefault } from './json-styles.js';
import { htmlEncodings, percentEncodings } from './rewrites.js';
import { onText, type List, type Text } from './drafts.js';

// Changes of the whole text, of a payment or an upload: its ends, its bytes, and other parts of the request beside it.

const texts = rows<string, Text>;

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const stringInside = (text: string) => {
  const value = tryParseJson(text);
  return typeof value === 'string' ? value : undefined;
};

const longestNormalised = 64 * 1024;

/** A Unicode form; undefined for a text whose normalisation takes long, as its time is quadratic in a run of marks. */
const normalised = (form: 'NFC' | 'NFD') => (text: string) =>
  text.length > longestNormalised || /\p{M}{31}/u.test(text) ? undefined : text.normalize(form);

/** Quick changes, which are tried on texts of any length. */
const ends: readonly Row<string, Text>[] = [
  ...texts('line-breaks.end', 'The signed text ends with % that was not sent.', [
    ['end', 'a line feed (LF)', (text) => `${text}\n`],
    ['end-windows', 'CR LF', (text) => `${text}\r\n`],
  ]),
  ...texts('byte-order-mark', 'The % begins with a byte order mark (U+FEFF).', [
    ['signed', 'signed text', (text) => byteOrderMark + text],
    ['sent', 'text that was sent', (text) => text.replace(/^\uFEFF/, '')],
  ]),
  ...texts('line-breaks.end', 'The signed text has no white space at its ends; the text that was sent has.', [
    ['trimmed', '', (text) => text.trim()],
  ]),
  ...texts('line-breaks', 'The signed text has %.', [
    ['windows', 'CR LF where LF was sent', (text) => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')],
    ['unix', 'LF where CR LF was sent', (text) => text.replaceAll('\r\n', '\n')],
  ]),
];

const rewritten: readonly Row<string, Text>[] = [
  ...texts('line-breaks', 'The signed text has %.', [
    [
      'shell',
      'one space for all white space in a row, and a line feed at its end (echo $body of a shell)',
      (text) => `${text.replaceAll(/[ \t\n]+/g, ' ').replaceAll(/^ | $/g, '')}\n`,
    ],
  ]),
  ...texts('unicode-normalised', 'The signed text is in the Unicode form %; the text that was sent is not.', [
    ['NFC', 'NFC', normalised('NFC')],
    ['NFD', 'NFD', normalised('NFD')],
  ]),
  ...texts('body-wrapped', 'The signed text is % that holds the text: it was serialised twice.', [
    ['json', 'a JSON string', (text) => JSON.stringify(text)],
    ['json-php', 'a JSON string of PHP', (text) => phpDefault(JSON.stringify(text))],
    ['json-ascii', 'a JSON string with \\u escapes', (text) => inAscii(JSON.stringify(text))],
  ]),
  ...texts(
    'body-wrapped',
    'The body that was sent is JSON encoded twice: the JSON inside its string was signed.',
    [['sent', '', stringInside]],
  ),
  ...texts('body-encoded', 'The % of the text was signed instead of the text.', [
    ['base64', 'base64', (text) => Buffer.from(text).toString('base64')],
    ['hex', 'hex', (text) => Buffer.from(text).toString('hex')],
  ]),
  ...texts(
    'url-encoded',
    'The signed text is % as a whole; it was not sent so.',
    percentEncodings.map(([form, what, encode]) => [`whole-${form}`, what, encode]),
  ),
  ...texts(
    'slashes-added',
    'The signed text has a backslash before each quotation mark and backslash (addslashes).',
    [['', '', (text) => text.replaceAll(/[\\'"]/g, '\\$&')]],
  ),
  ...texts(
    'html-encoded',
    'The signed text has HTML entities, such as &amp; for &; it was not sent so.',
    htmlEncodings.map(([form, encode]) => [`whole-${form}`, '', encode]),
  ),
  ...texts('body-encoding', 'The signed text is encoded as %; it was sent as UTF-8.', [
    [
      'latin1',
      'Latin-1, with ? for other characters',
      (text) => latin1(text.replaceAll(/[^\0-\xff]/gu, '?')),
    ],
    ['ascii', 'US-ASCII, with ? for other characters', (text) => text.replaceAll(/[^\0-\x7f]/gu, '?')],
    ['utf8-twice', 'UTF-8 twice', (text) => Buffer.from(text).toString('latin1')],
    ['utf16', 'UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
  ]),
  ...texts('body-encoding', 'The text was signed as UTF-8 and sent as UTF-8 twice.', [
    ['sent-twice', '', (text) => latin1(text).toString()],
  ]),
];

/** The text with another part of the request, as other gateways have it signed. */
function added({ merchant, request }: RefusedRequest): Row<string, Text>[] {
  const [secretKey] = merchant.secretKeys;
  const parts = {
    time: ['the Request-Time', request?.requestTime],
    client: ['the Client-Id', merchant.clientId],
    path: ['the path', request?.path],
    key: ['the secret key', secretKey],
  } as const;
  const joined = Object.entries(parts).flatMap(([form, [name, value]]) =>
    ['', '.', '|', '\n'].flatMap((mark) => {
      if (value === undefined) return [];
      const by = mark && `, joined by ${JSON.stringify(mark)}`;
      return [
        [`${form}-text${mark}`, `${name} and the text${by}`, (text: string) => value + mark + text],
        [`text-${form}${mark}`, `the text and ${name}${by}`, (text: string) => text + mark + value],
      ] as const;
    }),
  );
  return texts('text-added', 'The signed text is made of %.', [
    ...joined,
    ['text-&key=', 'the text, "&key=" and the secret key', (text) => `${text}&key=${secretKey}`],
  ]);
}

/** Texts that were signed instead of what was sent. */
const others: readonly Row<string, Text>[] = [
  ...texts('body-empty', 'An empty text was signed.', [['', '', () => '']]),
  ...texts(
    'body-placeholder',
    'The text % was signed instead of what was sent.',
    listed(`{} | [] | null | undefined | None | Array | [object Object] | [object FormData] | [object Promise]
      | [object ReadableStream] | System.Net.Http.StringContent | System.Net.Http.MultipartFormDataContent`),
  ),
];

/** The ends of a text of any length. */
export const endList = <Data>(): List<Data> => onText(ends);

/** Changes of the whole text, in the order in which they are made. */
export function wholeTextLists<Data>(refused: RefusedRequest): List<Data>[] {
  return [endList(), onText(rewritten), { ...onText([...added(refused), ...others]), isAlone: true }];
}
