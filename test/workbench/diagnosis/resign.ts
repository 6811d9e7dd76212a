import { createHash, createHmac } from 'node:crypto';
import type { Case } from './corpus.js';
import * as lib from './languages.js';
import { json, writers, type Json, type JsonObject, type Style } from './languages.js';

/* Signs again from the IDs of an explanation: each is a step. Nothing of src is used. An unknown ID is an error. */

type Bytes = string | Buffer;

interface State {
  readonly given: Case;
  /** The data of the body or the form with the changes so far, and its serialization. */
  readonly value: Json;
  readonly style: Style;
  readonly escapes: string;
  readonly write?: (value: JsonObject) => string;
  /** True once a step has changed the data or its serialization. */
  readonly isRewritten: boolean;
  readonly text?: Bytes;
  readonly key: Bytes;
  readonly digest: (text: Bytes, key: Bytes) => Buffer;
  /** The signature, as far as it was read. */
  readonly read: string;
  /** Reads the digest; absent for the expected notation. */
  readonly reader?: (read: string) => Buffer;
  /** Writes a digest that cannot be read. */
  readonly lost?: (hex: string, length: number) => string;
}

/** The part of the state that a step changes. `detail` is the rest of its ID. */
type Step = (state: State, detail: string) => Partial<State>;
type Steps<Change> = Readonly<Record<string, Change>>;
const each = <Change>(steps: Steps<Change>, stepOf: (change: Change) => Step): Steps<Step> =>
  Object.fromEntries(Object.entries(steps).map(([id, change]) => [id, stepOf(change)]));

/** JSON that keeps the text of its numbers. */
function parse(text: string): Json {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"\\u0000${token}"`,
  );
  return lib.eachValue(JSON.parse(marked) as Json, (part) => {
    if (typeof part !== 'string' || !part.startsWith('\0')) return part;
    return /^\0-?\d{1,15}$/.test(part) ? Number(part.slice(1)) : new lib.Written(part.slice(1));
  });
}

const styles: Steps<Style> = {
  compact: {},
  spaced: { comma: ', ', colon: ': ' },
  'spaced.colons': { colon: ': ' },
  ...Object.fromEntries([1, 2, 3, 4, 8].map((count) => [`indent-${count}`, lib.indented(count)])),
  encoder: {},
  jq: lib.indented(2),
  'json-tool': lib.indented(4),
  tabs: { indent: '\t', colon: ': ' },
  jackson: lib.jackson,
  'windows-2': { ...lib.indented(2), newline: '\r\n' },
  'windows-jackson': { ...lib.jackson, newline: '\r\n' },
};
const written = ({ value, style, escapes }: Pick<State, 'value' | 'style' | 'escapes'>) =>
  json(value, { ...style, text: writers[escapes] ?? lib.plainText });

/** The data of the body, and the style in which it was sent, if the style is known. */
function partsOf(body: string): Pick<State, 'value' | 'style' | 'escapes'> {
  const core = body.trim();
  if (!/^[[{]/.test(core)) return { value: '', style: {}, escapes: 'none' };
  const value = parse(core);
  const all = Object.values(styles).flatMap((style) =>
    Object.keys(writers).map((escapes) => ({ value, style, escapes })),
  );
  return all.find((parts) => written(parts) === core) ?? { value, style: {}, escapes: 'none' };
}

type Entries = readonly (readonly [string, Json])[];
const documented = (name: string) => lib.documentedFields[name]?.split(' ') ?? [];
function inOrder(entries: Entries, names: readonly string[]): Entries {
  const place = (key: string) => names.indexOf(key) + 1 || names.length + 1;
  return entries.toSorted(([a], [b]) => place(a) - place(b));
}
const tableOrder = (entries: Entries, name: string) => inOrder(entries, documented(name));

const withNulls = (value: Json, only: string) =>
  lib.eachObject(value, (entries, name) => {
    if (only !== '' && name !== '') return entries;
    const names = entries.map(([key]) => key);
    const missing = documented(name).filter((field) => !names.includes(field) && (only || field) === field);
    const isInOrder = tableOrder(entries, name).every(([key], index) => key === names[index]);
    const all = [...entries, ...missing.map((field) => [field, null] as const)];
    return isInOrder ? tableOrder(all, name) : all;
  });

function withoutPath(value: Json, [first = '', ...rest]: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((part: Json) => withoutPath(part, [first, ...rest]));
  if (value instanceof lib.Written || typeof value !== 'object' || value === null) return value;
  const { [first]: removed = null, ...others } = value as JsonObject;
  if (rest.length === 0) return others;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, part]) =>
      name === first ? [name, withoutPath(removed, rest)] : [name, part],
    ),
  );
}

const kept = (isKept: (value: Json, name: string) => boolean) => (value: Json) =>
  lib.eachObject(value, (entries) => entries.filter(([name, part]) => isKept(part, name)));
const isEmpty = (value: Json) => value === null || value === '' || ['{}', '[]'].includes(json(value));
const isFalsy = (value: Json) => isEmpty(value) || value === false || value === 0 || value === '0';

const numberOf = (value: Json) => (value instanceof lib.Written ? value.text : `${value as number}`);
const isNumber = (value: Json): boolean => typeof value === 'number' || value instanceof lib.Written;
const isDigits = (value: Json): boolean => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
const changed = (change: (value: Json) => Json, names?: readonly string[], applies = isNumber) =>
  onValues((part, name) => (applies(part) && (names?.includes(name) ?? true) ? change(part) : part));
const onValues = (change: (part: Json, name: string) => Json) => (value: Json) =>
  lib.eachValue(value, change);
const onTexts = (change: (text: string) => string) =>
  onValues((part) => (typeof part === 'string' ? change(part) : part));
const decimals = (digits: number) => (part: Json) =>
  typeof part === 'number' ? lib.fixed(digits)(part) : part;
const javaDouble = (part: Json) => lib.javaDouble(Number(numberOf(part)));
const shortest = (part: Json) => Number(numberOf(part));
const { amounts } = lib;

const encoders: Steps<(text: string) => string> = {
  quote_plus: lib.quotePlus,
  urlencode: lib.urlencode,
  URLSearchParams: lib.formUrl,
  encodeURIComponent,
  rawurlencode: lib.rawurlencode,
  quote: lib.quote,
  'HttpUtility.UrlEncode': lib.dotnetUrl,
};
const htmlEncoders: Steps<(text: string) => string> = {
  html: (text) => lib.htmlEncoded(text, false),
  'html-quotes': (text) => lib.htmlEncoded(text, true),
};

type DataChange = (value: Json, detail: string, given: Case) => Json;
const isSent = ({ fields }: Case, name: string) => fields[name] !== undefined;
const entriesOf = (value: Json): Entries => Object.entries(value as JsonObject);
const withUrl =
  (before?: string): DataChange =>
  (value, _detail, { fields }) => {
    const entries = entriesOf(value);
    const place = before === undefined ? entries.length : entries.findIndex(([name]) => name === before);
    return Object.fromEntries(entries.toSpliced(place, 0, ['fileUrl', fields['fileUrl'] ?? '']));
  };

/** Changes of the data of a body or a form. */
const data: Steps<DataChange> = {
  'number-format.amounts-float': changed(decimals(1), amounts),
  'number-format.amounts-decimals': changed(decimals(2), amounts),
  'number-format.amounts-double': changed(javaDouble, amounts),
  'number-format.big-decimal': changed((part) => {
    const text = numberOf(part);
    return /[1-9]0+$/.test(text) ? new lib.Written(Number(text).toExponential().toUpperCase()) : part;
  }, amounts),
  'number-format.all-float': changed(decimals(1)),
  'number-format.all-double': changed(javaDouble),
  'number-format.shortest': changed(shortest),
  'value-types.amounts-text': changed(numberOf, amounts),
  'value-types.amounts-decimals-text': changed((part) => numberOf(decimals(2)(part)), amounts),
  'value-types.all-text': changed(numberOf),
  'value-types.amounts-number': changed(shortest, amounts, isDigits),
  'value-types.numeric': changed(shortest, undefined, isDigits),
  'value-types.containers.objects': (value) =>
    lib.eachArray(value, (part) => Object.fromEntries(Object.entries(part))),
  'value-types.containers.arrays': (value) =>
    parse(json(value).replaceAll(/("(?:[^"\\]|\\.)*")|\{\}/g, (_all, text?: string) => text ?? '[]')),
  'values-trimmed': onTexts((text) => text.trim()),
  'html-encoded': (value, detail) => onTexts(htmlEncoders[detail] ?? String)(value),
  'url-encoded': (value, detail) => onTexts(encoders[detail] ?? String)(value),
  'null-fields-omitted.null': kept((part) => part !== null),
  'null-fields-omitted.empty': kept((part) => !isEmpty(part)),
  'null-fields-omitted.falsy': (value) =>
    Object.fromEntries(entriesOf(value).filter(([, part]) => !isFalsy(part))),
  'null-fields-added': withNulls,
  'field-added-later': (value, path) => withoutPath(value, path.split('.')),
  'field-names.pascal': (value) => lib.renamed(value, lib.pascal),
  'field-names.snake': (value) => lib.renamed(value, lib.snake),
  'field-order.sorted': lib.sorted,
  'field-order.sorted-outside': (value) => lib.ksorted(value as JsonObject),
  'field-order.table': (value) => lib.eachObject(value, tableOrder),
  'field-order.replacer': (value) =>
    kept((_part, name) => Object.hasOwn(value as JsonObject, name))(lib.sorted(value)),
  'absent-fields-included': (_value, _detail, { fields }) =>
    Object.fromEntries(lib.signedNames.map((name) => [name, fields[name] ?? ''])),
  'absent-fields-omitted.absent': (value, _detail, given) =>
    kept((_part, name) => isSent(given, name))(value),
  'absent-fields-omitted.empty': kept((part) => part !== ''),
  'absent-fields-omitted.field': (value, field) => kept((_part, name) => name !== field)(value),
  'absent-fields-as-text': (value, text, given) =>
    onValues((part, name) => (isSent(given, name) ? part : text))(value),
  'file-included.url-end': withUrl(),
  'file-included.url-table': withUrl('description'),
  'field-order.upload.sorted': lib.sorted,
  'field-order.upload.sent': (value, _detail, { fields }) =>
    Object.fromEntries(inOrder(entriesOf(value), Object.keys(fields))),
  'field-order.upload.own': (value, names) => {
    const entries = inOrder(entriesOf(value), names.split('-'));
    // The detail names exactly these fields.
    return entries.map(([name]) => name).join('-') === names ? Object.fromEntries(entries) : {};
  },
  'fields-as-sent': (_value, _detail, { fields }) => fields,
  'fields-as-sent.sorted': (_value, _detail, { fields }) => lib.sorted(fields),
  'date-format': (value, date) => onValues((part, name) => (name === 'invoiceDate' ? date : part))(value),
  'body-reserialised.extraData': (value, form) =>
    onValues((part, name) => {
      if (name !== 'extraData') return part;
      return form === 'object' ? '[object Object]' : (jsonForms[form]?.(parse(part as string)) ?? '');
    })(value),
};

const jsonForms: Steps<(value: Json) => string> = {
  compact: (value) => json(value),
  ascii: (value) => lib.python(value, { separators: [',', ':'] }),
  php: (value) => lib.php(value),
  python: (value) => lib.python(value),
  spaced: (value) => lib.python(value, { ascii: false }),
  dict: lib.pythonStr,
};

const fieldsOf = (value: JsonObject) =>
  Object.entries(value).map(([name, part]) => [name, part as string] as const);

/** Ways of writing the data that are not those of JSON, or of the canonical string. */
const notations: Steps<(value: JsonObject, detail: string) => string> = {
  'other-notation.python': lib.pythonStr,
  'other-notation.java': lib.javaMap,
  'form-encoded.php': (value) => lib.httpBuildQuery(value),
  'form-encoded.php-decoded': (value) => lib.httpBuildQuery(value, String),
  'form-encoded.python': lib.pythonUrlencode,
  'form-encoded.qs': (value) =>
    lib.httpBuildQuery(
      lib.eachValue(value, (part) => (typeof part === 'boolean' ? String(part) : part)),
      lib.rawurlencode,
    ),
  'form-encoded.url-search-params': (value) =>
    new URLSearchParams(value as Record<string, string>).toString(),
  'form-encoded.pairs': (value) => lib.pairs(fieldsOf(value)),
  'canonical-string.empty': (value) =>
    lib.pairs(lib.signedNames.map((name) => [name, (value[name] ?? '') as string])),
  'canonical-string.omit': (value) =>
    lib.pairs(lib.signedNames.flatMap((name) => fieldsOf(value).filter(([own]) => own === name))),
  'separators.first': (value) => `&${lib.pairs(fieldsOf(value))}`,
  'separators.last': (value) => `${lib.pairs(fieldsOf(value))}&`,
  'separators.html': (value) => lib.pairs(fieldsOf(value), '&amp;'),
  'separators.pairs': (value, mark) => lib.pairs(fieldsOf(value), mark),
  'separators.values': (value, mark) =>
    fieldsOf(value)
      .map(([, part]) => part)
      .join(mark),
  'separators.json': (value, form) => jsonForms[form]?.(value) ?? '',
};

const partsOfRequest = ({ operation, secretKey }: Case): Steps<string> => ({
  time: '2026-11-20 10:04:05',
  client: 'demo-client',
  path: operation === 'payment' ? '/v2/payments' : '/v2/payments/upload-invoice',
  key: secretKey,
  '&key=': `&key=${secretKey}`,
});

/** Changes of a text. */
const texts: Steps<(text: string, detail: string, given: Case) => Bytes> = {
  'line-breaks.end': (text) => `${text}\n`,
  'line-breaks.end.windows': (text) => `${text}\r\n`,
  'line-breaks.end.trimmed': (text) => text.trim(),
  'line-breaks.windows': (text) => text.split(/\r?\n/).join('\r\n'),
  'line-breaks.unix': (text) => text.split('\r\n').join('\n'),
  'line-breaks.shell': (text) => `${(text.match(/[^ \t\n]+/g) ?? []).join(' ')}\n`,
  'byte-order-mark.signed': (text) => `\uFEFF${text}`,
  'byte-order-mark.sent': (text) => text.slice(1),
  'unicode-normalised': (text, form) => text.normalize(form),
  'body-wrapped.json': (text) => JSON.stringify(text),
  'body-wrapped.json-php': (text) => lib.php(text),
  'body-wrapped.json-ascii': (text) => lib.python(text),
  'body-wrapped.sent': (text) => JSON.parse(text) as string,
  'body-encoded': (text, encoding) => Buffer.from(text).toString(encoding as BufferEncoding),
  'body-encoding.latin1': (text) => Buffer.from(text.replaceAll(/[^\0-\xff]/gu, '?'), 'latin1'),
  'body-encoding.ascii': (text) => text.replaceAll(/[^\0-\x7f]/gu, '?'),
  'body-encoding.utf8-twice': (text) => Buffer.from(text).toString('latin1'),
  'body-encoding.utf16': (text) => Buffer.from(text, 'utf16le'),
  'body-encoding.sent-latin1': (_text, _detail, { body }) => body.toString('latin1'),
  'body-empty': () => '',
  'body-placeholder': (_text, placeholder) => placeholder,
  'slashes-added': (text) => text.replaceAll(/[\\'"]/g, '\\$&'),
  'url-encoded.whole': (text, detail) => encoders[detail]?.(text) ?? '',
  'html-encoded.whole': (text, detail) => htmlEncoders[detail]?.(text) ?? '',
  'file-included.name': (text) => `${text}&file=invoice.pdf`,
  'file-included.content': (text) => `${text}%PDF-1.4`,
  'body-signed.form': () => '--boundary\r\n',
  'body-signed.file': () => '%PDF-1.4',
  'text-added': (text, detail, given) => {
    const [, first = '', second = '', mark = ''] = /^(\w+)-(\w+|&key=)\.?([.|\n]?)$/.exec(detail) ?? [];
    const parts: Steps<string> = { ...partsOfRequest(given), text };
    return `${parts[first]}${mark}${parts[second]}`;
  },
};

const hashed = (algorithm: string, ...parts: readonly Bytes[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest();

const keys: Steps<(key: string, detail: string) => Bytes> = {
  'secret-trimmed.line-feed': (key) => `${key}\n`,
  'secret-trimmed.windows': (key) => `${key}\r\n`,
  'secret-trimmed.carriage-return': (key) => `${key}\r`,
  'secret-trimmed.space-after': (key) => `${key} `,
  'secret-trimmed.space-before': (key) => ` ${key}`,
  'secret-trimmed.spaces': (key) => ` ${key} `,
  'secret-trimmed.tab': (key) => `${key}\t`,
  'secret-quoted.double': (key) => `"${key}"`,
  'secret-quoted.single': (key) => `'${key}'`,
  'secret-quoted.double-line-feed': (key) => `"${key}"\n`,
  'secret-quoted.brackets': (key) => `<${key}>`,
  'secret-quoted.bytes': (key) => `b'${key}'`,
  'secret-byte-order-mark': (key) => `\uFEFF${key}`,
  'secret-case.upper': (key) => key.toUpperCase(),
  'secret-case.lower': (key) => key.toLowerCase(),
  'secret-hashed.sha256-hex': (key) => hashed('sha256', key).toString('hex'),
  'secret-hashed.sha256': (key) => hashed('sha256', key),
  'secret-hashed.md5-hex': (key) => hashed('md5', key).toString('hex'),
  'secret-decoded': (key, encoding) => Buffer.from(key, encoding as BufferEncoding),
  'secret-not-decoded.text': String,
  'secret-not-decoded': (key, encoding) => Buffer.from(key, encoding as BufferEncoding),
  'secret-encoded.base64-line-feed': (key) => Buffer.from(`${key}\n`).toString('base64'),
  'secret-encoded.percent': (key) => encodeURIComponent(key),
  'secret-encoded': (key, encoding) => Buffer.from(key).toString(encoding as BufferEncoding),
  'secret-encoding.utf16': (key) => Buffer.from(key, 'utf16le'),
  'secret-truncated.dollar': (key) => key.split(/\$(?:\w+|\{\w*\})/).join(''),
  'secret-truncated.hash': (key) => (key.split('#')[0] ?? '').trimEnd(),
  'secret-truncated.split': (key) => key.replace(/=*$/, ''),
  'secret-joined.name': (key) => `INSTALLMENT_SECRET_KEY=${key}`,
  'secret-joined.oauth': (key) => `${key}&`,
  'secret-placeholder': (_key, text) => text,
  'secret-empty': () => '',
  'secret-of-another-merchant': () => 'other-secret',
  'secret-replaced.client': () => 'demo-client',
  'secret-replaced.merchant': () => 'DEMO-MERCHANT',
};

const digests: Steps<(detail: string) => State['digest']> = {
  'hash-algorithm': (name) => (text, key) => createHmac(name, key).update(text).digest(),
  'hash-unkeyed.text': (name) => (text) => hashed(name, text),
  'hash-unkeyed.key-text': (name) => (text, key) => hashed(name, key, text),
  'hash-unkeyed.text-key': (name) => (text, key) => hashed(name, text, key),
  'arguments-swapped': () => (text, key) => createHmac('sha256', text).update(key).digest(),
};

/** Removes a layer from the signature. */
const layers: Steps<(read: string) => string> = {
  'digest-white-space': (read) => read.split(/\s+/).join(''),
  'digest-quoted': (read) => read.replaceAll(/^b?\\?["']|\\?["']$/g, ''),
  'digest-separated': (read) => read.split(/[-: ]/).join(''),
  'digest-percent-encoded': decodeURIComponent,
  'digest-prefixed.before': (read) => {
    const [separated] = /(?:[0-9a-f]{2}[-: ]){15,}[0-9a-f]{2}$/i.exec(read) ?? [];
    const rest = read.replace(/^0x|^.*[= :,_-](?=[^=])/i, '');
    return separated ?? /(?:[0-9a-f]+|[\w+/-]+=*)$/i.exec(rest)?.[0] ?? '';
  },
  'digest-prefixed.after': (read) => /^[\w+/-]+=*/.exec(read)?.[0] ?? '',
};
const fromText = (text: string) => Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64');

/** Reads the digest from a notation other than the expected notation. */
const readers: Steps<(read: string) => Buffer> = {
  'digest-encoded-twice': (read) => fromText(fromText(read).toString('latin1')),
  'digest-prefixed.sum': (read) => Buffer.from(read, 'hex').subarray(-32),
  'digest-upper-case': (read) => Buffer.from(/[A-F]/.test(read) ? read : '', 'hex'),
  'digest-lower-case': (read) => Buffer.from(/[a-f]/.test(read) ? read : '', 'hex'),
  'digest-hex': (read) => Buffer.from(read, 'hex'),
  'digest-base64': (read) => Buffer.from(read, 'base64'),
  'digest-raw': (read) => Buffer.from(read, 'latin1'),
};

function textOf({ given, text, value, write, isRewritten, ...style }: State): Bytes {
  if (text !== undefined) return text;
  if (write) return write(value as JsonObject);
  if (given.operation === 'upload') return lib.pairs(fieldsOf(value as JsonObject));
  if (!isRewritten) return given.body;
  const body = given.body.toString();
  const [before = '', after = ''] = body.split(body.trim());
  return before + written({ value, ...style }) + after;
}

const restyled = (name: string) => ({ isRewritten: true, style: styles[name] ?? {} });
const steps: Steps<Step> = {
  ...each(data, (change) => ({ value, given }, detail) => {
    return { isRewritten: true, value: change(value, detail, given) };
  }),
  ...each(notations, (write) => (_state, detail) => ({ write: (value) => write(value, detail) })),
  ...each(texts, (change) => (state, detail) => {
    return { text: change(textOf(state).toString(), detail, state.given) };
  }),
  ...each(keys, (change) => ({ given }, detail) => ({ key: change(given.secretKey, detail) })),
  ...each(digests, (digest) => (_state, detail) => ({ digest: digest(detail) })),
  ...each(layers, (peel) => ({ read }) => ({ read: peel(read) })),
  ...each(readers, (reader) => () => ({ reader })),
  'body-pretty-printed': (_state, name) => restyled(name),
  'body-reserialised': (_state, name) => restyled(name),
  'body-escaped': (_state, escapes) => ({ isRewritten: true, escapes }),
  'digest-shortened': () => ({ lost: (hex) => BigInt(`0x${hex}`).toString(16) }),
  'digest-cut': () => ({ lost: (hex, length) => hex.slice(0, length) }),
};

/** Makes the mistake with this ID, which is the longest beginning with a step, and its detail. */
function made(state: State, id: string): State {
  const beginning = Object.keys(steps)
    .filter((each) => id === each || id.startsWith(`${each}.`))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  const step = steps[beginning];
  if (!step) throw new Error(`an unknown ID: ${id}`);
  return { ...state, ...step(state, id.slice(beginning.length + 1)) };
}

function stateOf(given: Case): State {
  const names = lib.signedNames.filter((name) => given.absentFields !== 'omit' || isSent(given, name));
  const fields = Object.fromEntries(names.map((name) => [name, given.fields[name] ?? '']));
  return {
    given,
    isRewritten: false,
    ...partsOf(given.body.toString()),
    ...(given.operation === 'upload' && { value: fields }),
    key: Buffer.from(given.secretKey, given.secretKeyEncoding),
    digest: (text, key) => createHmac('sha256', key).update(text).digest(),
    read: given.signature,
  };
}

/** True if the mistakes with these IDs lead to the signature of the case. */
export function leadsToSignature(given: Case, ids: readonly string[]): boolean {
  const state = ids.reduce(made, stateOf(given));
  const { read, reader, lost } = state;
  const digest = state.digest(textOf(state), state.key);
  const encoding = given.signatureEncoding ?? 'hex';
  const isUpper = encoding === 'hex-upper';
  if (lost) {
    const hex = lost(digest.toString('hex'), read.length);
    if (reader || given.operation === 'upload') return hex === read.toLowerCase();
    return read === (isUpper ? hex.toUpperCase() : encoding === 'hex' ? hex : '');
  }
  if (reader) return reader(read).equals(digest);
  const text = digest.toString(isUpper ? 'hex' : encoding);
  if (given.operation === 'upload') return text === read.toLowerCase();
  return (isUpper ? text.toUpperCase() : text) === read;
}
