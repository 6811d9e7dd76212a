import { habits, mistakes, onBytes, onText, rarer, type Row, type Stage } from '../ingredient.js';
import { before, digestOf, hashed, inJson, inside, written, type Rewrite } from './rewrites.js';

const pythonEscapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\\': '\\' };

/** As str() of Python writes bytes. */
function pythonBytes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\\'"]|[^ -~]/g, (byte) => {
      if (byte === "'" || byte === '"') return byte === quote ? `\\${byte}` : byte;
      return `\\${pythonEscapes[byte] ?? `x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`}`;
    });
  return `b${quote}${escaped}${quote}`;
}

const inPhpJson: Rewrite = (text) => inJson(text).replaceAll('/', '\\/');
const names = ['data', 'body', 'payload', 'request', 'json', 'params', 'order'];
const wraps: readonly Row<Rewrite>[] = [
  [3, 'is a JSON string that holds the body: it was serialised twice', inJson],
  [4, 'is a JSON string that holds the body: it was serialised twice (PHP)', inPhpJson],
  [3, 'stands in single quotes', inside("'")],
  [4, 'stands in double quotes', inside('"')],
  [4, 'is an array with the body as its only element', inside('[', ']')],
  [3, "is Python's b'…' around the body (str() of bytes)", pythonBytes],
  ...names.flatMap((name): Row<Rewrite>[] => [
    [4, `is an object that holds the body as ${name}`, inside(`{"${name}":`, '}')],
    [5, `is an object that holds the body as ${name}`, inside(`{"${name}": `, '}')],
    [4, `is preceded by ${name}=`, before(`${name}=`)],
  ]),
];

const base64 = written('base64');
const linesWithin: Rewrite = (text) => base64(text).replaceAll(/.{76}/g, '$&\n');
const lines: Rewrite = (text) => base64(text).replaceAll(/.{1,76}/g, '$&\n');
const encodings: readonly Row<Rewrite>[] = [
  [3, 'base64', base64],
  [4, 'URL-safe base64', written('base64url')],
  [4, 'hex', written('hex')],
  [5, 'base64 with a line feed after every 76 characters', linesWithin],
  [4, 'base64 with a line feed after every 76 characters and at its end', lines],
];

const hashes = ['SHA256', 'MD5', 'SHA1', 'SHA512'].flatMap((name, index) =>
  Object.entries(hashed(name)).map(([form, hash], place): Row<Rewrite> => [
    rarer(3, index + place),
    `${name} hash of the text (${form})`,
    hash,
  ]),
);

const instead = 'The % was signed instead of the text.';

/** The text inside something else, or turned into something else. */
export const wrapStage: Stage = habits(
  [
    ...mistakes('body-wrapped', 'The signed text %.', onText, wraps),
    ...mistakes('body-encoded', 'The % of the text was signed instead of the text.', onText, encodings),
    ...mistakes('body-hashed', instead, onText, hashes),
    ...mistakes('body-hashed', instead, onBytes, [
      [4, 'SHA256 hash of the text (raw bytes)', (text) => digestOf('SHA256', text)],
    ]),
  ],
  3,
);
