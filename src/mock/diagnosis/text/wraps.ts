import { habits, mistakes, onBytes, onText, rarer, type Draft, type Row, type Stage } from '../ingredient.js';
import { before, digestOf, inJson, inside, replaced, written, type Rewrite } from './rewrites.js';

const pythonEscapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};

/** As str() of Python writes bytes. */
function pythonBytes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const bytes = Array.from(Buffer.from(text).toString('latin1'), (byte) => {
    if (byte === quote) return `\\${byte}`;
    const hex = byte.charCodeAt(0).toString(16).padStart(2, '0');
    return pythonEscapes[byte] ?? (byte >= ' ' && byte <= '~' ? byte : `\\x${hex}`);
  });
  return `b${quote}${bytes.join('')}${quote}`;
}

const names = ['data', 'body', 'payload', 'request', 'json', 'params', 'order'];
const wraps: readonly Row<Rewrite>[] = [
  [3, 'is a JSON string that holds the body: it was serialised twice', inJson],
  [
    4,
    'is a JSON string that holds the body: it was serialised twice (PHP)',
    (text) => inJson(text).replaceAll('/', '\\/'),
  ],
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
const lined = replaced(/.{1,76}/g, '$&\n');
const encodings: readonly Row<Rewrite>[] = [
  [3, 'base64', base64],
  [4, 'URL-safe base64', written('base64url')],
  [4, 'hex', written('hex')],
  [
    5,
    'base64 with a line feed after every 76 characters',
    (text) => base64(text).replaceAll(/.{76}/g, '$&\n'),
  ],
  [4, 'base64 with a line feed after every 76 characters and at its end', (text) => lined(base64(text))],
];

const hashes = ['SHA256', 'MD5', 'SHA1', 'SHA512'].flatMap((name, index): Row<Rewrite>[] => {
  const hex: Rewrite = (text) => digestOf(name, text).toString('hex');
  return [
    [rarer(3, index), `${name} hash of the text (hex)`, hex],
    [rarer(3, index + 1), `${name} hash of the text (upper-case hex)`, (text) => hex(text).toUpperCase()],
    [
      rarer(3, index + 2),
      `${name} hash of the text (base64)`,
      (text) => digestOf(name, text).toString('base64'),
    ],
  ];
});

const hashed = 'The % was signed instead of the text.';

/** The text inside something else, or turned into something else. */
export const wrapStage: Stage<Draft> = habits(
  [
    ...mistakes('body-wrapped', 'The signed text %.', onText, wraps),
    ...mistakes('body-encoded', 'The % of the text was signed instead of the text.', onText, encodings),
    ...mistakes('body-hashed', hashed, onText, hashes),
    ...mistakes('body-hashed', hashed, onBytes, [
      [4, 'SHA256 hash of the text (raw bytes)', (text) => digestOf('SHA256', text)],
    ]),
  ],
  3,
);
