import { byteOrderMark } from '../../../values/encodings.js';
import { habits, instead, listed, mistakes, onText, rarer, type Row, type Stage } from '../ingredient.js';
import type { RefusedRequest } from '../types.js';
import { additionStage } from './additions.js';
import { encodingStage } from './encodings.js';
import { escapeStage } from './json-escapes.js';
import {
  before,
  behind,
  digestOf,
  hashed,
  htmlEscaped,
  inJson,
  inLowerCase,
  inside,
  inUpperCase,
  normalised,
  percentDecoded,
  percentEncodings,
  pythonRepr,
  replaced,
  without,
  withoutEnds,
  written,
  type Rewrite,
} from './rewrites.js';

const insteadOfSent = 'The text % was signed instead of what was sent.';

/** A text with nothing of the request in it. */
export const placeholders: Stage = [
  ...mistakes('body-empty', 'An empty text was signed.', instead, [[2, '', '']]),
  ...mistakes('body-placeholder', insteadOfSent, instead, [
    ...listed(2, '{} | null | undefined | [object Object]'),
    ...listed(3, '[] | None | "" | Array | [object FormData] | System.Net.Http.StringContent'),
    ...listed(3, 'System.Net.Http.Json.JsonContent | System.Net.Http.MultipartFormDataContent'),
    ...listed(4, "nil | false | true | 0 | 1 | Object | b'' | [object Promise] | [object Blob]"),
    ...listed(4, '[object ReadableStream] | [object ArrayBuffer] | [object URLSearchParams]'),
    ...listed(4, 'System.Object | System.String | System.Byte[] | System.Net.Http.ByteArrayContent'),
    ...listed(4, 'System.IO.MemoryStream'),
    ...listed(4, 'System.Collections.Generic.Dictionary`2[System.String,System.Object]'),
    ...listed(4, 'System.Collections.Generic.Dictionary`2[System.String,System.String]'),
  ]),
];

const form = 'The signed text is in the Unicode form %; the text that was sent is not.';
const unicodeStage = habits(3, 'unicode-normalised', form, onText, [
  [3, 'NFC', normalised('NFC')],
  [3, 'NFD', normalised('NFD')],
  [4, 'NFKC', normalised('NFKC')],
  [4, 'NFKD', normalised('NFKD')],
]);

const inHtml = (entities: string) => [`escaped for HTML (${entities})`, htmlEscaped(entities)] as const;

/** Escapes for URLs and pages, and changed letters: of a whole text, or of each value in it. */
export const escapes: readonly Row<Rewrite>[] = [
  ...percentEncodings.map(([name, encode], index) => [index < 3 ? 3 : 4, name, encode] as const),
  [4, ...inHtml('&amp; &lt; &gt;'), 'html-escaped'],
  [3, ...inHtml('&amp; &lt; &gt; &quot;'), 'html-escaped'],
  [3, ...inHtml('&amp; &lt; &gt; &quot; &#039;'), 'html-escaped'],
  [4, ...inHtml('&amp; &lt; &gt; &quot; &#39;'), 'html-escaped'],
  [4, ...inHtml('&amp; &lt; &gt; &quot; &#x27;'), 'html-escaped'],
  [4, 'written in lower case', inLowerCase, 'text-case'],
  [4, 'written in upper case', inUpperCase, 'text-case'],
];

const escapedStage: Stage = [
  ...mistakes('url-encoded', 'The signed text is % as a whole; it was not sent so.', onText, escapes),
  ...mistakes('url-encoded.decoded', 'The signed text was %; it was sent encoded.', onText, [
    [4, 'percent-decoded', percentDecoded],
  ]),
  ...mistakes('body-escaped.addslashes', 'The signed text has a backslash before %.', onText, [
    [4, 'each quotation mark, apostrophe and backslash (addslashes)', replaced(/["'\\]/g, '\\$&')],
  ]),
  ...mistakes('white-space-removed', 'The signed text has no %; the text that was sent has.', onText, [
    [3, 'quotation marks (a shell removed them)', without('"'), 'quotes-removed'],
    [4, 'backslashes (stripslashes)', replaced(/\\(.?)/g, '$1'), 'body-escaped.stripslashes'],
    [4, 'white space at all, not even inside its values', without(/\s+/g)],
    [4, 'spaces at all, not even inside its values', without(' ')],
  ]),
];

const endStage: Stage = [
  ...habits(5, 'line-breaks.end', 'The signed text ends with % that was not sent.', onText, [
    [2, 'a line feed (LF)', behind('\n')],
    [3, 'CR LF', behind('\r\n')],
    [4, 'two line feeds (LF)', behind('\n\n')],
    [4, 'a NUL byte', behind('\0'), 'text-added.end'],
    [4, 'a space', behind(' '), 'text-added.end'],
  ]),
  ...mistakes('values-trimmed.end', 'The signed text has no %; the text that was sent has.', onText, [
    [2, 'white space at its ends', withoutEnds],
    [3, 'line break at its end', without(/\r?\n$/g)],
  ]),
];

const lineBreaks = habits(5, 'line-breaks', 'The signed text has %.', onText, [
  [2, 'CR LF where LF was sent', replaced(/\r?\n/g, '\r\n')],
  [2, 'LF where CR LF was sent', replaced('\r\n', '\n')],
  [3, 'no line breaks; the text that was sent has', without(/[\r\n]+/g)],
  [3, '\\n, a backslash and a letter, where line feeds were sent', replaced('\n', '\\n')],
  [3, 'line feeds where \\n, a backslash and a letter, was sent', replaced('\\n', '\n')],
]);

const markStage: Stage = [
  ...habits(5, 'byte-order-mark', 'The signed text begins with %.', onText, [
    [2, 'a byte order mark (U+FEFF) that was not sent', before(byteOrderMark)],
  ]),
  ...habits(5, 'byte-order-mark.sent', 'The text that was sent begins with %.', onText, [
    [2, 'a byte order mark (U+FEFF); the signed text does not', without(/^\uFEFF/g)],
  ]),
];

// As str() of Python writes bytes.
const pythonText: Rewrite = (text) => `b${pythonRepr(written('latin1')(text), /[\\'"]|[^ -~]/g)}`;
const inPhpJson: Rewrite = (text) => inJson(text).replaceAll('/', '\\/');
const lines: Rewrite = (text) => written('base64')(text).replaceAll(/.{1,76}/g, '$&\n');
const linesWithin: Rewrite = (text) => written('base64')(text).replaceAll(/.{76}/g, '$&\n');
const hashes = ['SHA256', 'MD5', 'SHA1', 'SHA512'].flatMap((name, index) =>
  Object.entries(hashed(name)).map(([encoding, hash], place): Row<Rewrite> => {
    return [rarer(3, index + place), `${name} hash of the text (${encoding})`, hash];
  }),
);
const insteadOfText = 'The % was signed instead of the text.';

const wrapStage: Stage = [
  ...habits(3, 'body-wrapped', 'The signed text %.', onText, [
    [3, 'is a JSON string that holds the body: it was serialised twice', inJson],
    [4, 'is a JSON string that holds the body: it was serialised twice (PHP)', inPhpJson],
    [3, 'stands in single quotes', inside("'")],
    [4, 'stands in double quotes', inside('"')],
    [4, 'is an array with the body as its only element', inside('[', ']')],
    [3, "is Python's b'…' around the body (str() of bytes)", pythonText],
    ...'data body payload request json params order'.split(' ').flatMap((name): Row<Rewrite>[] => [
      [4, `is an object that holds the body as ${name}`, inside(`{"${name}":`, '}')],
      [5, `is an object that holds the body as ${name}`, inside(`{"${name}": `, '}')],
      [4, `is preceded by ${name}=`, before(`${name}=`)],
    ]),
  ]),
  ...habits(3, 'body-encoded', 'The % of the text was signed instead of the text.', onText, [
    [3, 'base64', written('base64')],
    [4, 'URL-safe base64', written('base64url')],
    [4, 'hex', written('hex')],
    [5, 'base64 with a line feed after every 76 characters', linesWithin],
    [4, 'base64 with a line feed after every 76 characters and at its end', lines],
  ]),
  ...habits(3, 'body-hashed', insteadOfText, onText, hashes),
  ...habits(3, 'body-hashed', insteadOfText, onText, [
    [4, 'SHA256 hash of the text (raw bytes)', (text) => digestOf('SHA256', text)],
  ]),
];

/** Mistakes in a text that is written out, of a payment and of an upload. */
export function textStages(refused: RefusedRequest, referenceId: string | undefined): Stage[] {
  return [
    unicodeStage,
    escapeStage,
    escapedStage,
    endStage,
    lineBreaks.map((each) => ({ ...each, isLate: true })),
    markStage,
    wrapStage,
    additionStage(refused, referenceId),
    encodingStage,
  ];
}
