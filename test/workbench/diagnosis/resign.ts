import { createHash, createHmac } from 'node:crypto';
import type { Case } from './corpus.js';
import * as lib from './languages.js';
import { json, type Json, type JsonObject, type Style } from './languages.js';

/*
 * Signs again from the words of an explanation: each of its sentences is a step. Nothing of src is used. A sentence that is
 * not known here, or that says of what was sent what is not so, is an error.
 */

type Bytes = string | Buffer;

type Notation = 'hex' | 'hex-upper' | 'base64' | 'base64url' | 'any hex' | 'any base64';

/** JSON by its parts, as the sentences change them. */
interface Parts {
  value: Json;
  style: Style;
  escapes: readonly string[];
}

interface State {
  readonly given: Case;
  readonly sent: string;
  parts: Parts | undefined;
  text: Bytes | undefined;
  fields: (readonly [string, string])[];
  join: (fields: readonly (readonly [string, string])[]) => string;
  key: Bytes;
  digest: (text: Bytes, key: Bytes) => Buffer;
  /** The signature as it is read. */
  read: string | Buffer;
  /** How it is written. */
  notation: Notation;
  /** Writes the digest where it cannot be read. */
  written: ((hex: string) => string) | undefined;
}

class Untrue extends Error {}

function claim(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Untrue(what);
}

/** JSON with its numbers as they are written. */
function parse(text: string): Json {
  const numbers: string[] = [];
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token.startsWith('"')) return token;
    numbers.push(token);
    return `"\0${numbers.length - 1}"`.replace('\0', '\\u0000');
  });
  const restore = (value: Json): Json =>
    lib.eachValue(value, (each) => {
      if (typeof each !== 'string' || !each.startsWith('\0')) return each;
      const token = numbers[Number(each.slice(1))] ?? '';
      return /^-?\d{1,15}$/.test(token) ? Number(token) : new lib.Written(token);
    });
  return restore(JSON.parse(marked) as Json);
}

/** Escapes, by the words about them: "/ (\/)", "& (\u0026)", "characters outside ASCII (\u1ea1)". */
function writerOf(escapes: readonly string[]) {
  const named = escapes.map((each) => /^(.*) \(\\(.*)\)$/s.exec(each)?.slice(1) ?? []);
  return (value: string) =>
    `"${Array.from({ length: value.length }, (_, index) => {
      const unit = value.charAt(index);
      const found = named.find(
        ([kind]) => kind === unit || (kind === 'characters outside ASCII' && unit > '\x7f'),
      );
      if (!found) return /[\ud800-\udfff]/.test(unit) ? unit : JSON.stringify(unit).slice(1, -1);
      if (found[1] === '/') return '\\/';
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${/[A-F]/.test(found[1] ?? '') ? hex.toUpperCase() : hex}`;
    }).join('')}"`;
}

function listOf(words: string): string[] {
  if (words === 'nothing that it need not') return [];
  return words.split(/(?<=\)), /);
}

/** The escapes of a text in the same words, found in another way than the diagnosis does. */
function escapesOf(text: string): string[] {
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const escapes = strings.flatMap((each) => each.match(/\\(?:u....|.)/g) ?? []);
  const needless = escapes.filter((each) => {
    const character = JSON.parse(`"${each}"`) as string;
    return (each !== JSON.stringify(character).slice(1, -1) || character > '\x7f') && character >= ' ';
  });
  const kinds = new Map<string, string>();
  for (const each of needless) {
    const character = JSON.parse(`"${each}"`) as string;
    const kind = character > '\x7f' ? 'characters outside ASCII' : character;
    if (!/[a-f]/i.test(kinds.get(kind)?.slice(2) ?? '')) kinds.set(kind, each);
  }
  return [...kinds].map(([kind, each]) => `${kind} (${each})`).sort();
}

function styleOf(words: string): Style {
  if (words === 'without white space') return {};
  if (words === 'with a space after each comma and colon') return { comma: ', ', colon: ': ' };
  if (words === 'with a space after each colon') return { colon: ': ' };
  const [, count, unit, isJackson, isWindows] =
    /^indented by (\d+) (tab|space)s?(, with " : " and arrays on one line \(Jackson\))?(, with CR LF)?$/.exec(
      words,
    ) ?? [];
  claim(count !== undefined, `a layout: ${words}`);
  const indent = (unit === 'tab' ? '\t' : ' ').repeat(Number(count));
  const style = isJackson ? { ...lib.jackson, indent } : { indent, colon: ': ' };
  return isWindows ? { ...style, newline: '\r\n' } : style;
}

const layouts = [
  'without white space',
  'with a space after each comma and colon',
  'with a space after each colon',
  ...[1, 2, 3, 4, 8].flatMap((count) => {
    const indented = `indented by ${count} space${count > 1 ? 's' : ''}`;
    return [indented, `${indented}, with CR LF`];
  }),
  'indented by 1 tab',
  'indented by 2 spaces, with " : " and arrays on one line (Jackson)',
  'indented by 2 spaces, with " : " and arrays on one line (Jackson), with CR LF',
];

const write = ({ value, style, escapes }: Parts) => json(value, { ...style, text: writerOf(escapes) });

/** The layout of a body, in the words of the diagnosis; undefined where none is exact. */
function layoutIn(core: string): string | undefined {
  const escapes = escapesOf(core);
  return layouts.find((words) => write({ value: parse(core), style: styleOf(words), escapes }) === core);
}

function partsOf(state: State): Parts {
  if (state.parts) return state.parts;
  const core = state.sent.trim();
  const layout = layoutIn(core);
  state.parts = {
    value: parse(core),
    style: layout === undefined ? {} : styleOf(layout),
    escapes: escapesOf(core),
  };
  return state.parts;
}

/** The data of a form that was sent instead of JSON. */
function formValue(text: string): JsonObject {
  const root: Record<string, unknown> = {};
  for (const pair of text.split('&')) {
    const [place = '', value = ''] = pair
      .split('=')
      .map((each) => decodeURIComponent(each.replaceAll('+', ' ')));
    const names = place.replaceAll(']', '').split('[');
    const last = names.pop() ?? '';
    let branch = root;
    for (const name of names) branch = (branch[name] ??= {}) as Record<string, unknown>;
    const isNumber = ['value', 'price', 'totalAmount', 'quantity'].includes(last);
    branch[last] = isNumber ? Number(value) : last === 'sendSms' ? value === '1' : value;
  }
  return { ...(root as JsonObject), items: Object.values(root['items'] as JsonObject) };
}

const tables: Readonly<Record<string, string>> = {
  '': 'merchantId storeId referenceId platformId requestType paymentMethod description successRedirectUrl unSuccessRedirectUrl amount items customer shipping lang extraData terminalType installment seller transExpiredTime sendSms sendEmail',
  amount: 'value currency',
  items: 'productId productName category currency quantity price totalAmount description imageUrl',
  customer: 'phoneNumber email firstName lastName rank description gender dateOfBirth',
  shipping: 'city district ward street houseNumber country zipCode streetNumber houseExtension',
  seller: 'id email name address',
  installment: 'packageId',
};
type Entries = readonly (readonly [string, Json])[];
function tableOrder(entries: Entries, name: string): Entries {
  const names = tables[name]?.split(' ') ?? [];
  const place = (key: string) => names.indexOf(key) + 1 || names.length + 1;
  return entries.toSorted(([a], [b]) => place(a) - place(b));
}
const inTableOrder = (value: Json) => lib.eachObject(value, tableOrder);

const numberText = (value: Json) =>
  value instanceof lib.Written ? value.text : typeof value === 'number' ? String(value) : undefined;
const bigDecimal = (number: number) =>
  /[1-9]0+$/.test(String(number)) && number > 9
    ? new lib.Written(number.toExponential().toUpperCase())
    : number;

const numberForms: Readonly<Record<string, (text: string) => Json>> = {
  'as floats': (text) => new lib.Written(/^\d+$/.test(text) ? `${text}.0` : text),
  'with two decimals': (text) => new lib.Written(/^\d+$/.test(text) ? `${text}.00` : text),
  'as Java doubles': (text) => lib.javaDouble(Number(text)),
  'as BigDecimal without trailing zeros': (text) => bigDecimal(Number(text)),
  'in their shortest form': (text) => Number(text),
  'as strings': (text) => text,
  'as strings with two decimals': (text) => (/^\d+$/.test(text) ? `${text}.00` : text),
  'as numbers': (text) => new lib.Written(text),
  'as numbers (PHP: JSON_NUMERIC_CHECK)': (text) => Number(text),
};

function changeValues(state: State, what: string, how: string, after: string, before: string): void {
  const parts = partsOf(state);
  const form = numberForms[how];
  claim(form !== undefined, `a form of numbers: ${how}`);
  const isFromText = how.startsWith('as numbers');
  let isShown = false;
  parts.value = lib.eachValue(parts.value, (value, name) => {
    const text = isFromText
      ? typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
        ? value
        : undefined
      : numberText(value);
    if (text === undefined || (what === 'amounts' && !lib.amounts.includes(name))) return value;
    const next = form(text);
    isShown ||= json(value) === before && json(next) === after;
    return next;
  });
  claim(isShown, `${after} where ${before} was sent`);
}

function changeFields(state: State, names: string, isKept: (value: Json) => boolean): void {
  const paths = names.split(', ');
  const parts = partsOf(state);
  const seen = new Set<string>();
  const prune = (value: Json, path: string): Json => {
    if (value instanceof lib.Written || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each: Json) => prune(each, path));
    const entries = Object.entries(value as JsonObject).flatMap(([name, each]) => {
      const own = path === '' ? name : `${path}.${name}`;
      const next = prune(each, own);
      if (!paths.includes(own)) return [[name, next] as const];
      claim(!isKept(next), `${own} has another value`);
      seen.add(own);
      return [];
    });
    return Object.fromEntries(entries);
  };
  parts.value = prune(parts.value, '');
  // Fields inside a field that is left out are named too.
  for (const path of paths)
    claim(seen.has(path) || [...seen].some((each) => path.startsWith(`${each}.`)), `${path} was sent`);
}

function addNulls(state: State, names: string): void {
  const parts = partsOf(state);
  const paths = names.split(', ');
  parts.value = lib.eachObject(parts.value, (entries, name) => {
    const missing = paths.filter((path) => (path.includes('.') ? path.split('.')[0] === name : name === ''));
    const own = missing.map((path) => [path.split('.').at(-1) ?? '', null] as const);
    for (const [key] of own) claim(!entries.some(([each]) => each === key), `${key} was not sent`);
    // The words do not say where: in the documented place if the others are there, and behind them if not.
    const isInOrder =
      json(Object.fromEntries(tableOrder(entries, name))) === json(Object.fromEntries(entries));
    return isInOrder ? tableOrder([...entries, ...own], name) : [...entries, ...own];
  });
}

const isEmpty = (value: Json) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

function textOf(state: State): string {
  if (state.text !== undefined) {
    claim(typeof state.text === 'string', 'a text that is not bytes');
    return state.text;
  }
  if (state.given.operation === 'upload') return state.join(state.fields);
  if (!state.parts) return state.sent;
  const core = state.sent.trim();
  const [before = '', after = ''] = state.sent.split(core);
  return before + write(state.parts) + after;
}

const encoders: Readonly<Record<string, (text: string) => string>> = {
  'percent-encoded, with + for a space (quote_plus of Python)': lib.quotePlus,
  'percent-encoded, with + for a space (urlencode of PHP)': lib.urlencode,
  'percent-encoded, with + for a space (URLEncoder, URLSearchParams)': lib.formUrl,
  'percent-encoded with %20 for a space (encodeURIComponent)': encodeURIComponent,
  'percent-encoded with %20 for a space (rawurlencode)': lib.rawurlencode,
  'percent-encoded except for slashes (quote of Python)': lib.quote,
  'percent-encoded in lower case (HttpUtility.UrlEncode)': lib.dotnetUrl,
};

const jsonStyles: Readonly<Record<string, (value: Json) => string>> = {
  'without white space': (value) => json(value),
  'without white space, with \\u escapes': (value) => lib.python(value, { separators: [',', ':'] }),
  'as json_encode of PHP writes it': (value) => lib.php(value),
  'as json.dumps of Python writes it': (value) => lib.python(value),
  'with a space after each comma and colon': (value) => lib.python(value, { ascii: false }),
};

type Pairs = readonly (readonly [string, string])[];
const pairs = (mark: string) => (fields: Pairs) =>
  fields.map(([name, value]) => `${name}=${value}`).join(mark);
const values = (mark: string) => (fields: Pairs) => fields.map(([, value]) => value).join(mark);

function joinOf(words: string): (fields: Pairs) => string {
  const fixed: Readonly<Record<string, (fields: Pairs) => string>> = {
    'with & before the first one': (fields) => `&${pairs('&')(fields)}`,
    'with & after the last one': (fields) => `${pairs('&')(fields)}&`,
    'with ? before the first one': (fields) => `?${pairs('&')(fields)}`,
    'as name=value, joined by &amp;': pairs('&amp;'),
    'as toString() of a Java map': (fields) => lib.javaMap(Object.fromEntries(fields)),
    'as str() of a Python dict': (fields) => lib.pythonStr(Object.fromEntries(fields)),
  };
  const [, style] = /^as JSON (.*)$/.exec(words) ?? [];
  const asJson = jsonStyles[style ?? ''];
  const [, how, mark] = /^(as name=value|without their names), joined by (".*")$/.exec(words) ?? [];
  const join = fixed[words] ?? (asJson && ((fields: Pairs) => asJson(Object.fromEntries(fields))));
  if (join) return join;
  claim(mark !== undefined, `a way to join: ${words}`);
  return (how === 'as name=value' ? pairs : values)(JSON.parse(mark) as string);
}

const setText = (change: (text: string, state: State) => Bytes) => (state: State) => {
  state.text = change(textOf(state), state);
};
const setParts = (change: (value: Json) => Json) => (state: State) => {
  const parts = partsOf(state);
  const next = change(parts.value);
  claim(json(next) !== json(parts.value), 'a change of the body');
  parts.value = next;
};
const setFields = (change: (fields: Pairs, state: State) => Pairs) => (state: State) => {
  state.fields = [...change(state.fields, state)];
};
const setKey = (change: (key: string) => Bytes) => (state: State) => {
  state.key = change(state.given.secretKey);
};
const readAs = (change: (read: string) => string | Buffer) => (state: State) => {
  claim(typeof state.read === 'string', 'a signature that is text');
  state.read = change(state.read);
};
const decodedAs = (encoding: BufferEncoding) => readAs((read) => Buffer.from(read, encoding));
/** The signature is in this notation, and another was expected. */
const notationIs = (notation: Notation, expected: Notation) => (state: State) => {
  claim(state.notation === expected, `${expected} is expected`);
  // Hex digits could be base64 too.
  const couldBe = notation === 'any hex' && expected.startsWith('base64');
  claim(isIn(state.read, notation) && (couldBe || !isIn(state.read, expected)), `a signature in ${notation}`);
  state.notation = notation;
};

const shapes: Readonly<Record<Notation, RegExp>> = {
  hex: /^-?[0-9a-f]+$/,
  'hex-upper': /^-?[0-9A-F]+$/,
  'any hex': /^-?[0-9a-f]+$/i,
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=))?$/,
  base64url: /^[\w-]+$/,
  'any base64': /^(?:[A-Za-z0-9+/]+|[\w-]+)={0,2}$/,
};
const isIn = (read: string | Buffer, notation: Notation) => shapes[notation].test(String(read));

/** The digest of a signature in this notation; undefined where it is in another one. */
function digestIn(read: string, notation: Notation): Buffer | undefined {
  if (!isIn(read, notation)) return undefined;
  return Buffer.from(read, notation.includes('hex') ? 'hex' : 'base64');
}
const hashed = (algorithm: string, ...parts: readonly Bytes[]) =>
  createHash(algorithm)
    .update(Buffer.concat(parts.map((each) => Buffer.from(each))))
    .digest();
const algorithmOf = (name: string) => name.replace('-', '').toLowerCase();

type Step = (state: State, ...found: string[]) => void;

const signedBody = 'The signed body';
const steps: readonly (readonly [sentence: RegExp, step: Step])[] = [
  [
    /The signed body is JSON written (.*?); the body that was sent is (?:written (.*?)|(a form))\./,
    (state, layout = '', sent, form) => {
      if (form) state.parts = { value: formValue(state.sent), style: {}, escapes: [] };
      else
        claim(
          (layoutIn(state.sent.trim()) ?? 'otherwise') === sent,
          `the body that was sent is written ${sent}`,
        );
      partsOf(state).style = styleOf(layout);
    },
  ],
  [
    /The signed body escapes (.*?); the body that was sent escapes (.*?)\./,
    (state, escapes = '', sent = '') => {
      const parts = partsOf(state);
      claim(escapesOf(state.sent).join() === listOf(sent).join(), `the body that was sent escapes ${sent}`);
      parts.escapes = listOf(escapes);
      claim(escapesOf(write(parts)).join() === parts.escapes.join(), `the signed body escapes ${escapes}`);
    },
  ],
  [
    /The signed body has (amounts|all numbers|strings of digits) (.*?): (\S+) where (\S+) was sent\./,
    (state, what = '', how = '', after = '', before = '') => {
      changeValues(state, what, how, after, before);
    },
  ],
  [
    /The signed body has empty arrays where empty objects were sent\./,
    setParts(
      (value) =>
        JSON.parse(
          json(value).replaceAll(/("(?:[^"\\]|\\.)*")|\{\}/g, (_all, text?: string) => text ?? '[]'),
        ) as Json,
    ),
  ],
  [
    /The signed body does not have fields that were sent: (.*?)\./,
    (state, names = '') => {
      changeFields(state, names, () => false);
    },
  ],
  [
    /The signed body does not have fields that were sent with null: (.*?)\./,
    (state, names = '') => {
      changeFields(state, names, (value) => value !== null);
    },
  ],
  [
    /The signed body does not have fields that were sent with null or nothing in them: (.*?)\./,
    (state, names = '') => {
      changeFields(state, names, (value) => !isEmpty(value));
    },
  ],
  [
    /The signed body does not have fields that were sent with null, false, 0 or nothing in them \(PHP: array_filter\): (.*?)\./,
    (state, names = '') => {
      changeFields(
        state,
        names,
        (value) => !isEmpty(value) && value !== false && value !== 0 && value !== '0',
      );
    },
  ],
  [
    /The signed body has fields with null that were not sent: (.*?)\./,
    (state, names = '') => {
      addNulls(state, names);
    },
  ],
  [
    /The signed body has its field names in PascalCase \(MerchantId\); the names that were sent are others\./,
    setParts((value) => lib.renamed(value, lib.pascal)),
  ],
  [
    /The signed body has its field names in snake_case \(merchant_id\); the names that were sent are others\./,
    setParts((value) => lib.renamed(value, lib.snake)),
  ],
  ...(
    [
      ['sorted by name in every object', lib.sorted],
      ['sorted by name, but not inside its objects', (value) => lib.ksorted(value as JsonObject)],
      ["in the order of the specification's tables", inTableOrder],
      ['in the order of java.util.HashMap', lib.hashMap],
      [
        'sorted by name, and inside its objects only the fields whose names are outer names too (JSON.stringify with an array of names)',
        (value) =>
          lib.eachObject(lib.sorted(value), (entries) =>
            entries.filter(([name]) => Object.hasOwn(value as JsonObject, name)),
          ),
      ],
    ] as readonly (readonly [string, (value: Json) => Json])[]
  ).map(([order, change]): readonly [RegExp, Step] => [
    literal(`${signedBody} has its fields in another order than the body that was sent: ${order}.`),
    setParts(change),
  ]),
  ...(
    [
      ['The body was signed as str() of a Python dict instead of as JSON.', lib.pythonStr],
      ['The body was signed as toString() of a Java map instead of as JSON.', lib.javaMap],
      [
        'The body was signed as a form (http_build_query) instead of as JSON.',
        (value) => lib.httpBuildQuery(value),
      ],
      [
        'The body was signed as a form (http_build_query, decoded) instead of as JSON.',
        (value) => lib.httpBuildQuery(value, (text) => text),
      ],
      [
        'The body was signed as a form (urlencode of Python) instead of as JSON.',
        (value) => lib.pythonUrlencode(value as JsonObject),
      ],
      [
        'The body was signed as a form (qs.stringify) instead of as JSON.',
        (value) =>
          lib.httpBuildQuery(
            lib.eachValue(value, (each) => (typeof each === 'boolean' ? String(each) : each)),
            lib.rawurlencode,
          ),
      ],
      [
        'The body was signed as a form (URLSearchParams of the object) instead of as JSON.',
        (value) => new URLSearchParams(value as Record<string, string>).toString(),
      ],
    ] as readonly (readonly [string, (value: Json) => string])[]
  ).map(([sentence, change]): readonly [RegExp, Step] => [
    literal(sentence),
    (state) => {
      state.text = change(partsOf(state).value);
    },
  ]),

  [/The signed text ends with a line feed \(LF\) that was not sent\./, setText((text) => `${text}\n`)],
  [/The signed text ends with CR LF that was not sent\./, setText((text) => `${text}\r\n`)],
  [
    /The signed text has no white space at its ends; the text that was sent has\./,
    setText((text) => text.trim()),
  ],
  [/The signed text has CR LF where LF was sent\./, setText((text) => text.split(/\r?\n/).join('\r\n'))],
  [/The signed text has LF where CR LF was sent\./, setText((text) => text.split('\r\n').join('\n'))],
  [
    /The signed text has one space for all white space in a row, and a line feed at its end \(echo \$body of a shell\)\./,
    setText(
      (text) =>
        `${text
          .split(/[ \t\n]+/)
          .filter((word) => word !== '')
          .join(' ')}\n`,
    ),
  ],
  [/The signed text begins with a byte order mark \(U\+FEFF\)\./, setText((text) => `\uFEFF${text}`)],
  [/The text that was sent begins with a byte order mark \(U\+FEFF\)\./, setText((text) => text.slice(1))],
  [
    /The signed text is in the Unicode form (NFC|NFD); the text that was sent is not\./,
    (state, form = '') => {
      state.text = textOf(state).normalize(form);
    },
  ],
  [
    /The signed text is a JSON string that holds the text: it was serialised twice\./,
    setText((text) => JSON.stringify(text)),
  ],
  [
    /The signed text is a JSON string of PHP that holds the text: it was serialised twice\./,
    setText((text) => lib.php(text)),
  ],
  [
    /The signed text is a JSON string with \\u escapes that holds the text: it was serialised twice\./,
    setText((text) => lib.python(text)),
  ],
  [
    /The signed text is Python's b'…' around the text \(str\(\) of bytes\)\./,
    setText((text) => lib.pythonBytes(Buffer.from(text))),
  ],
  [
    /The body that was sent is JSON encoded twice: the JSON inside its string was signed\./,
    setText((text) => JSON.parse(text) as string),
  ],
  [
    /The (base64|hex) of the text was signed instead of the text\./,
    (state, encoding) => {
      state.text = Buffer.from(textOf(state)).toString(encoding as BufferEncoding);
    },
  ],
  [
    /The signed text is (percent-.*?) as a whole; it was not sent so\./,
    (state, how = '') => {
      const encode = encoders[how];
      claim(encode !== undefined, `an encoding: ${how}`);
      state.text = encode(textOf(state));
    },
  ],
  [
    /The signed text is encoded as Latin-1, with \? for other characters; it was sent as UTF-8\./,
    setText((text) => Buffer.from(text.replaceAll(/[^\0-\xff]/gu, '?'), 'latin1')),
  ],
  [
    /The signed text is encoded as US-ASCII, with \? for other characters; it was sent as UTF-8\./,
    setText((text) => text.replaceAll(/[^\0-\x7f]/gu, '?')),
  ],
  [
    /The signed text is encoded as UTF-8 twice; it was sent as UTF-8\./,
    setText((text) => Buffer.from(text).toString('latin1')),
  ],
  [
    /The signed text is encoded as UTF-16LE; it was sent as UTF-8\./,
    setText((text) => Buffer.from(text, 'utf16le')),
  ],
  [
    /The text was signed as UTF-8 and sent as UTF-8 twice\./,
    setText((text) => Buffer.from(text, 'latin1').toString()),
  ],
  [
    /The text was signed as UTF-8 and sent as Latin-1\./,
    (state) => {
      state.text = state.given.body.toString('latin1');
    },
  ],
  [
    /The text was signed as UTF-8 and sent as UTF-16LE\./,
    (state) => {
      state.text = state.given.body.toString('utf16le');
    },
  ],
  [
    /The text was signed as UTF-8 and sent as UTF-16BE\./,
    (state) => {
      state.text = Buffer.from(state.given.body).swap16().toString('utf16le');
    },
  ],
  [
    /The signed text is made of (.*?) and (.*?)(?:, joined by (".*?"))?\./,
    (state, first = '', second = '', mark = '""') => {
      const parts: Readonly<Record<string, string>> = {
        'the Request-Time': '2026-11-20 10:04:05',
        'the Client-Id': 'demo-client',
        'the path': state.given.operation === 'payment' ? '/v2/payments' : '/v2/payments/upload-invoice',
        'the secret key': state.given.secretKey,
        'the text': textOf(state),
        'the text, "&key="': `${textOf(state)}&key=`,
      };
      const [a, b] = [parts[first], parts[second]];
      claim(a !== undefined && b !== undefined, `parts: ${first}, ${second}`);
      state.text = a + (JSON.parse(mark) as string) + b;
    },
  ],
  [
    /An empty text was signed\./,
    (state) => {
      state.text = '';
    },
  ],
  [
    /The text (.*?) was signed instead of what was sent\./,
    (state, text = '') => {
      state.text = text;
    },
  ],

  [
    /Fields that were not sent are in the signed text\./,
    setFields((fields, { given }) =>
      lib.signedNames.map((name) => [
        name,
        given.fields[name] ?? fields.find(([each]) => each === name)?.[1] ?? '',
      ]),
    ),
  ],
  [
    /Fields that were not sent were left out of the signed text\./,
    setFields((fields, { given }) => fields.filter(([name]) => given.fields[name] !== undefined)),
  ],
  [
    /The field (\w+) was left out of the signed text\./,
    (state, field = '') => {
      state.fields = state.fields.filter(([name]) => name !== field);
    },
  ],
  [
    /Fields that are empty were left out of the signed text\./,
    setFields((fields) => fields.filter(([, value]) => value !== '')),
  ],
  [
    /Fields that were not sent are in the signed text, as (null|None|undefined)\./,
    (state, text = '') => {
      state.fields = state.fields.map(([name, value]) => [
        name,
        state.given.fields[name] === undefined ? text : value,
      ]);
    },
  ],
  [
    /All fields that were sent were signed, in the order in which they were sent\./,
    setFields((_fields, { given }) => Object.entries(given.fields)),
  ],
  [
    /The fields were signed in another order: sorted by name\./,
    setFields((fields) => Object.entries(lib.ksorted(Object.fromEntries(fields))) as unknown as Pairs),
  ],
  [
    /The fields were signed in another order: in the order in which they were sent\./,
    setFields((fields, { given }) => {
      const sent = Object.keys(given.fields);
      return [
        ...sent.flatMap((name) => fields.filter(([each]) => each === name)),
        ...fields.filter(([name]) => !sent.includes(name)),
      ];
    }),
  ],
  [
    /The fields were signed in another order: in the order of java\.util\.HashMap\./,
    setFields((fields) => Object.entries(lib.hashMap(Object.fromEntries(fields)) as Record<string, string>)),
  ],
  [
    /invoiceDate was signed as (\S+(?: [\d:]+)?); it was sent as (\S+)\./,
    (state, signed = '', sent = '') => {
      claim(state.given.fields['invoiceDate'] === sent, `invoiceDate was sent as ${sent}`);
      state.fields = state.fields.map(([name, value]) => [name, name === 'invoiceDate' ? signed : value]);
    },
  ],
  [
    /extraData was signed (.*?); it was not sent so\./,
    (state, how = '') => {
      const sent = state.given.fields['extraData'] ?? '';
      const texts: Readonly<Record<string, string>> = {
        'as str() of a Python dict': lib.pythonStr(parse(sent)),
        'as a string of JSON, in quotation marks': JSON.stringify(sent),
        'as [object Object]': '[object Object]',
        'as Array (PHP)': 'Array',
      };
      const text = texts[how] ?? jsonStyles[how]?.(parse(sent));
      claim(text !== undefined && text !== sent, `extraData ${how}`);
      state.fields = state.fields.map(([name, value]) => [name, name === 'extraData' ? text : value]);
    },
  ],
  [
    /The values were (percent-.*?) before they were signed\./,
    (state, how = '') => {
      const encode = encoders[how];
      claim(encode !== undefined, `an encoding: ${how}`);
      state.fields = state.fields.map(([name, value]) => [name, encode(value)]);
    },
  ],
  [
    /The fields were signed ((?:with|as|without) .*?)\./,
    (state, how = '') => {
      state.join = joinOf(how);
    },
  ],
  [/&file= with the name of the file was signed at the end\./, setText((text) => `${text}&file=invoice.pdf`)],
  [/The content of the file was signed at the end\./, setText((text) => `${text}%PDF-1.4`)],
  [
    /The whole multipart body was signed; the canonical string of the fields has to be signed\./,
    (state) => {
      state.text = '--boundary\r\n';
    },
  ],
  [
    /The content of the file was signed; the canonical string of the fields has to be signed\./,
    (state) => {
      state.text = '%PDF-1.4';
    },
  ],

  ...(
    [
      ['with a line feed at its end', (key) => `${key}\n`],
      ['with CR LF at its end', (key) => `${key}\r\n`],
      ['with a carriage return at its end', (key) => `${key}\r`],
      ['with a space at its end', (key) => `${key} `],
      ['with a space before it', (key) => ` ${key}`],
      ['with a tab at its end', (key) => `${key}\t`],
      ['without the white space at its ends', (key) => key.trim()],
      ['with " around it', (key) => `"${key}"`],
      ["with ' around it", (key) => `'${key}'`],
      ['with " around it and a line feed at its end', (key) => `"${key}"\n`],
      ["with ' around it and a line feed at its end", (key) => `'${key}'\n`],
      ['with < and > around it', (key) => `<${key}>`],
      ["with Python's b'' around it", (key) => `b'${key}'`],
      ['without the quotation marks around it', (key) => key.slice(1, -1)],
      ['in upper case', (key) => key.toUpperCase()],
      ['in lower case', (key) => key.toLowerCase()],
      ['with a byte order mark (U+FEFF) before it', (key) => `\uFEFF${key}`],
      ['without $ and the name after it (a shell)', (key) => key.split(/\$(?:\w+|\{\w*\})/).join('')],
      [
        'without # and what follows it (a comment in an .env file)',
        (key) => (key.split('#')[0] ?? '').trimEnd(),
      ],
      ['without the = at its end', (key) => key.replace(/=*$/, '')],
      ['with INSTALLMENT_SECRET_KEY= before it', (key) => `INSTALLMENT_SECRET_KEY=${key}`],
      ['with & at its end, as in OAuth 1', (key) => `${key}&`],
    ] as readonly (readonly [string, (key: string) => Bytes])[]
  ).map(([how, change]): readonly [RegExp, Step] => [
    literal(`The secret key was used ${how}.`),
    setKey(change),
  ]),
  [
    /The (SHA-256|MD5) in hex of the secret key was used instead of the key\./,
    (state, name = '') => {
      state.key = hashed(algorithmOf(name), state.given.secretKey).toString('hex');
    },
  ],
  [/The SHA-256 of the secret key was used instead of the key\./, setKey((key) => hashed('sha256', key))],
  [
    /The secret key was decoded from (base64|hex) before use\./,
    (state, encoding) => {
      state.key = Buffer.from(state.given.secretKey, encoding as BufferEncoding);
    },
  ],
  [
    /The secret key was used as text, without decoding it\./,
    (state) => {
      claim(['hex', 'base64'].includes(state.given.secretKeyEncoding ?? ''), 'a key that has to be decoded');
      state.key = state.given.secretKey;
    },
  ],
  [
    /The secret key was used decoded from (base64|hex) instead of (base64|hex)\./,
    (state, encoding, expected) => {
      claim(state.given.secretKeyEncoding === expected, `a key in ${expected}`);
      state.key = Buffer.from(state.given.secretKey, encoding as BufferEncoding);
    },
  ],
  [
    /The secret key was encoded as (base64|hex) before use\./,
    (state, encoding) => {
      state.key = Buffer.from(state.given.secretKey).toString(encoding as BufferEncoding);
    },
  ],
  [
    /The secret key was encoded as base64 of the key with a line feed before use\./,
    setKey((key) => Buffer.from(`${key}\n`).toString('base64')),
  ],
  [
    /The secret key was encoded as a part of an address \(percent-encoded\) before use\./,
    setKey(encodeURIComponent),
  ],
  [
    /The secret key was turned into bytes as UTF-16LE, not as UTF-8\./,
    setKey((key) => Buffer.from(key, 'utf16le')),
  ],
  [
    /The text (.*?) was used as the key instead of the secret key\./,
    (state, key = '') => {
      state.key = key;
    },
  ],
  [/The key was empty\./, setKey(() => '')],
  [/The secret key is that of the client other-client\./, setKey(() => 'other-secret')],
  [/The Client-Id was used as the key instead of the secret key\./, setKey(() => 'demo-client')],
  [/The merchantId was used as the key instead of the secret key\./, setKey(() => 'DEMO-MERCHANT')],

  [
    /The signature is an HMAC with (\S+), not with SHA-256\./,
    (state, name = '') => {
      state.digest = (text, key) => createHmac(algorithmOf(name), key).update(text).digest();
    },
  ],
  [
    /The signature is a plain (\S+) hash of (.*?), not an HMAC\./,
    (state, name = '', of = '') => {
      const order: Readonly<Record<string, (text: Bytes, key: Bytes) => Bytes[]>> = {
        'the text without the secret key': (text) => [text],
        'the secret key and the text': (text, key) => [key, text],
        'the text and the secret key': (text, key) => [text, key],
      };
      state.digest = (text, key) => hashed(algorithmOf(name), ...(order[of]?.(text, key) ?? []));
    },
  ],
  [
    /The text was used as the key of the HMAC \((\S+)\)\./,
    (state, name = '') => {
      state.digest = (text, key) => createHmac(algorithmOf(name), text).update(key).digest();
    },
  ],

  [/The signature has white space in it or at its ends\./, readAs((read) => read.split(/\s+/).join(''))],
  [
    /The signature stands in Python's b'…'\./,
    readAs((read) => {
      const inner = read.slice(2, -1);
      const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
      return inner.replaceAll(/\\x(..)|\\(.)/g, (_all, hex?: string, mark = '') =>
        hex === undefined
          ? (escapes[mark as string] ?? (mark as string))
          : String.fromCharCode(Number(`0x${hex}`)),
      );
    }),
  ],
  [/The signature stands in quotation marks\./, readAs((read) => read.replaceAll(/^\\?["']|\\?["']$/g, ''))],
  [
    /The signature has hyphens, colons or spaces between its bytes\./,
    readAs((read) => read.split(/[-: ]/).join('')),
  ],
  [
    /The signature is a list of its bytes as decimal numbers; (.*?) is expected\./,
    readAs((read) => Buffer.from((read.match(/-?\d+/g) ?? []).map(Number))),
  ],
  [/The signature is percent-encoded\./, readAs(decodeURIComponent)],
  [
    /The signature has other text before the digest, such as an algorithm name\./,
    readAs((read) => {
      const [separated] = /(?:[0-9a-f]{2}[-: ]){15,}[0-9a-f]{2}$/i.exec(read) ?? [];
      const rest = read.replace(/^0x|^.*[= :,_-](?=[^=])/i, '');
      return separated ?? /(?:[0-9a-f]+|[\w+/-]+=*)$/i.exec(rest)?.[0] ?? '';
    }),
  ],
  [/The signature has other text after the digest\./, readAs((read) => /^[\w+/-]+=*/.exec(read)?.[0] ?? '')],
  [
    /The signature was encoded twice, as in base64 of hex digits\./,
    readAs((read) => {
      const once = Buffer.from(read, /^[0-9a-f]+$/i.test(read) ? 'hex' : 'base64').toString('latin1');
      return Buffer.from(once, /^[0-9a-f]+$/i.test(once) ? 'hex' : 'base64');
    }),
  ],
  [/The signature has upper-case letters; lower-case hex is expected\./, notationIs('any hex', 'hex')],
  [/The signature has lower-case letters; upper-case hex is expected\./, notationIs('any hex', 'hex-upper')],
  [/The signature is written in hex; base64 is expected\./, notationIs('any hex', 'base64')],
  [/The signature is written in hex; base64url is expected\./, notationIs('any hex', 'base64url')],
  [/The signature is written in base64; lower-case hex is expected\./, notationIs('any base64', 'hex')],
  [/The signature is written in base64; upper-case hex is expected\./, notationIs('any base64', 'hex-upper')],
  [
    /The signature is written in base64 for URLs, or without = at its end; base64 is expected\./,
    notationIs('any base64', 'base64'),
  ],
  [
    /The signature is written in standard base64, or with = at its end; base64url is expected\./,
    notationIs('any base64', 'base64url'),
  ],
  [/The signature is the bytes of the digest; (.*?) is expected\./, decodedAs('latin1')],
  [
    /The signature has other bytes before the digest\./,
    readAs((read) => Buffer.from(read, 'hex').subarray(-32)),
  ],
  ...(
    [
      ['is hex without its leading zeros (BigInteger)', (hex) => BigInt(`0x${hex}`).toString(16)],
      [
        'is the hex of a negative BigInteger',
        (hex) => (BigInt(`0x${hex}`) - (1n << BigInt(hex.length * 4))).toString(16),
      ],
      [
        'is hex in which bytes below 16 have one digit',
        (hex) => Array.from(Buffer.from(hex, 'hex'), (byte) => byte.toString(16)).join(''),
      ],
      [
        'is hex in which bytes below 16 have one digit, and those above 127 eight (ffffff80)',
        (hex) =>
          Array.from(new Int8Array(Buffer.from(hex, 'hex')), (byte) => (byte >>> 0).toString(16)).join(''),
      ],
    ] as readonly (readonly [string, (hex: string) => string])[]
  ).map(([how, written]): readonly [RegExp, Step] => [
    literal(`The signature ${how}.`),
    (state) => {
      state.written = written;
    },
  ]),
  [
    /The signature is only the beginning of the hex digits\./,
    (state) => {
      const { length } = String(state.read);
      state.written = (hex) => hex.slice(0, length);
    },
  ],
];

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
}

const following = String.raw`(?=$| (?:The|Fields|All|An|invoiceDate|extraData|&file))`;
const known = steps.map(([sentence, step]) => [new RegExp(sentence.source + following, 'sy'), step] as const);

/** True if the words lead to the signature of the case. */
export function leadsToSignature(
  given: Case,
  message: string,
  absentFields: 'empty' | 'omit' = 'empty',
): boolean {
  const present = lib.signedNames.filter(
    (name) => absentFields === 'empty' || given.fields[name] !== undefined,
  );
  const state: State = {
    given,
    sent: given.body.toString(),
    parts: undefined,
    text: undefined,
    fields: present.map((name) => [name, given.fields[name] ?? '']),
    join: pairs('&'),
    key: Buffer.from(given.secretKey, given.secretKeyEncoding),
    digest: (text, key) => createHmac('sha256', key).update(text).digest(),
    read: given.signature,
    notation: given.signatureEncoding ?? 'hex',
    written: undefined,
  };
  const words = message.replaceAll('<secret key>', given.secretKey);
  for (let place = 0; place < words.length;) {
    const start = place;
    for (const [sentence, step] of known) {
      sentence.lastIndex = place;
      const found = sentence.exec(words);
      if (!found) continue;
      step(state, ...found.slice(1));
      place = sentence.lastIndex + 1;
      break;
    }
    claim(place > start, `a sentence that is known: ${words.slice(start)}`);
  }
  const digest = state.digest(
    state.text ?? (given.body.length > 0 && !state.parts ? given.body : textOf(state)),
    state.key,
  );
  const { read, notation, written } = state;
  if (typeof read !== 'string') return read.equals(digest);
  // An upload takes hex of either case.
  const isEitherCase = given.operation === 'upload' && notation.startsWith('hex');
  const own = isEitherCase ? 'any hex' : notation;
  if (written)
    return own.includes('hex') && isIn(read, own) && written(digest.toString('hex')) === read.toLowerCase();
  return digestIn(read, own)?.equals(digest) ?? false;
}
