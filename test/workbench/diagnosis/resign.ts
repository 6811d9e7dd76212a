import { createHash, createHmac } from 'node:crypto';
import type { Case } from './corpus.js';
import * as lib from './languages.js';
import { json, writers, type Json, type JsonObject, type Style } from './languages.js';

/* Signs again from the IDs of an explanation: each is a step. Nothing of src is used. An ID that is not known is an error. */

type Bytes = string | Buffer;
type Pairs = readonly (readonly [name: string, value: string])[];

interface State {
  readonly given: Case;
  /** True once a step has changed the data of the body, or how it is written. */
  isRewritten: boolean;
  value: Json;
  style: Style;
  writer: string;
  fields: Pairs;
  join: (fields: Pairs) => string;
  text: Bytes | undefined;
  key: Bytes;
  digest: (text: Bytes, key: Bytes) => Buffer;
  /** The signature, as far as it was read. */
  read: string;
  /** Reads the digest; undefined for the expected notation. */
  reader: ((read: string) => Buffer) | undefined;
  /** Writes a digest that cannot be read. */
  lost: ((hex: string) => string) | undefined;
}

/** JSON with its numbers as they are written. */
function parse(text: string): Json {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"\\u0000${token}"`,
  );
  return lib.eachValue(JSON.parse(marked) as Json, (each) => {
    if (typeof each !== 'string' || !each.startsWith('\0')) return each;
    return /^\0-?\d{1,15}$/.test(each) ? Number(each.slice(1)) : new lib.Written(each.slice(1));
  });
}

/** The data of a form that was sent instead of JSON. */
function formValue(text: string): JsonObject {
  const root: Record<string, unknown> = {};
  for (const [place, value] of new URLSearchParams(text)) {
    const names = place.replaceAll(']', '').split('[');
    const last = names.pop() ?? '';
    let branch = root;
    for (const name of names) branch = (branch[name] ??= {}) as Record<string, unknown>;
    const isNumber = ['value', 'price', 'totalAmount', 'quantity'].includes(last);
    branch[last] = isNumber ? Number(value) : last === 'sendSms' ? value === '1' : value;
  }
  return { ...(root as JsonObject), items: Object.values((root['items'] ?? {}) as JsonObject) };
}

const styles: Readonly<Record<string, Style>> = {
  compact: {},
  encoder: {},
  spaced: { comma: ', ', colon: ': ' },
  colons: { colon: ': ' },
  ...Object.fromEntries([1, 2, 3, 4, 8].map((count) => [`indent-${count}`, lib.indented(count)])),
  jq: lib.indented(2),
  'json-tool': lib.indented(4),
  tabs: { indent: '\t', colon: ': ' },
  jackson: lib.jackson,
  'windows-2': { ...lib.indented(2), newline: '\r\n' },
  'windows-jackson': { ...lib.jackson, newline: '\r\n' },
};
const written = ({ value, style, writer }: Pick<State, 'value' | 'style' | 'writer'>) =>
  json(value, { ...style, text: writers[writer] ?? lib.plainText });

/** The data of the body, and the style in which it was sent, if that is a known one. */
function partsOf(body: string): Pick<State, 'value' | 'style' | 'writer'> {
  const core = body.trim();
  if (!/^[[{]/.test(core))
    return { value: /^[\w%.[\]-]+=\S*$/.test(core) ? formValue(core) : '', style: {}, writer: 'none' };
  const value = parse(core);
  for (const style of Object.values(styles))
    for (const writer of Object.keys(writers))
      if (written({ value, style, writer }) === core) return { value, style, writer };
  return { value, style: {}, writer: 'none' };
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
const documented = (name: string) => tables[name]?.split(' ') ?? [];
function tableOrder(entries: Entries, name: string): Entries {
  const place = (key: string) => documented(name).indexOf(key) + 1 || Infinity;
  return entries.toSorted(([a], [b]) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

const withNulls = (value: Json, only?: string) =>
  lib.eachObject(value, (entries, name) => {
    if (only !== undefined && name !== '') return entries;
    const missing = documented(name).filter(
      (each) => !entries.some(([key]) => key === each) && each === (only ?? each),
    );
    const isInOrder =
      json(Object.fromEntries(tableOrder(entries, name))) === json(Object.fromEntries(entries));
    const all = [...entries, ...missing.map((each) => [each, null] as const)];
    return isInOrder ? tableOrder(all, name) : all;
  });

function withoutPath(value: Json, path: string, own = ''): Json {
  if (Array.isArray(value)) return value.map((each: Json) => withoutPath(each, path, own));
  if (value instanceof lib.Written || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject).flatMap(([name, each]) => {
    const inner = own === '' ? name : `${own}.${name}`;
    return inner === path ? [] : [[name, withoutPath(each, path, inner)] as const];
  });
  return Object.fromEntries(entries);
}

const isEmpty = (value: Json) =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !(value instanceof lib.Written) && Object.keys(value).length === 0);
const isFalsy = (value: Json) => isEmpty(value) || value === false || value === 0 || value === '0';

const decimals = (digits: number) => (number: number | lib.Written) =>
  typeof number === 'number' ? lib.fixed(digits)(number) : number;
const textIn = (value: Json) => (value instanceof lib.Written ? value.text : `${value as number}`);
const isNumber = (value: Json): boolean => typeof value === 'number' || value instanceof lib.Written;
const isDigits = (value: Json): boolean => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
type Change = (value: number | lib.Written) => Json;
const changed =
  (change: Change, which: 'all' | 'amounts', applies = isNumber) =>
  (value: Json) =>
    lib.eachValue(value, (each, name) =>
      applies(each) && (which === 'all' || lib.amounts.includes(name)) ? change(each as number) : each,
    );
const javaDouble: Change = (number) => lib.javaDouble(Number(textIn(number)));
const bigDecimal: Change = (number) =>
  /[1-9]0+$/.test(textIn(number))
    ? new lib.Written(Number(textIn(number)).toExponential().toUpperCase())
    : number;
const shortest: Change = (number) => Number(textIn(number));
const onStrings = (change: (text: string) => string) => (value: Json) =>
  lib.eachValue(value, (each) => (typeof each === 'string' ? change(each) : each));

/** Changes of the data of a body. */
const data: Readonly<Record<string, (value: Json, detail: string) => Json>> = {
  'number-format.amounts-float': changed(decimals(1), 'amounts'),
  'number-format.amounts-decimals': changed(decimals(2), 'amounts'),
  'number-format.amounts-double': changed(javaDouble, 'amounts'),
  'number-format.big-decimal': changed(bigDecimal, 'amounts'),
  'number-format.all-float': changed(decimals(1), 'all'),
  'number-format.all-double': changed(javaDouble, 'all'),
  'number-format.shortest': changed(shortest, 'all'),
  'value-types.amounts-text': changed(textIn, 'amounts'),
  'value-types.amounts-decimals-text': changed((number) => textIn(decimals(2)(number)), 'amounts'),
  'value-types.all-text': changed(textIn, 'all'),
  'value-types.amounts-number': changed(shortest, 'amounts', isDigits),
  'value-types.numeric': changed(shortest, 'all', isDigits),
  'value-types.objects': (value) =>
    lib.eachObject(
      lib.eachArray(value, (each) => Object.fromEntries(Object.entries(each))),
      (all) => all,
    ),
  'value-types.arrays': (value) =>
    parse(json(value).replaceAll(/("(?:[^"\\]|\\.)*")|\{\}/g, (_all, text?: string) => text ?? '[]')),
  'values-trimmed': onStrings((text) => text.trim()),
  'html-encoded.html': onStrings((text) => lib.htmlEncoded(text, false)),
  'html-encoded.html-quotes': onStrings((text) => lib.htmlEncoded(text, true)),
  'null-fields-omitted.null': (value) =>
    lib.eachObject(value, (all) => all.filter(([, each]) => each !== null)),
  'null-fields-omitted.empty': (value) =>
    lib.eachObject(value, (all) => all.filter(([, each]) => !isEmpty(each))),
  'null-fields-omitted.falsy': (value) =>
    Object.fromEntries(Object.entries(value as JsonObject).filter(([, each]) => !isFalsy(each))),
  'null-fields-added': (value, only) => withNulls(value, only || undefined),
  'field-added-later': (value, path) => {
    const [, last] = /^last-(\d)$/.exec(path) ?? [];
    if (last === undefined) return withoutPath(value, path);
    return Object.fromEntries(Object.entries(value as JsonObject).slice(0, -Number(last)));
  },
  'field-names.pascal': (value) => lib.renamed(value, lib.pascal),
  'field-names.snake': (value) => lib.renamed(value, lib.snake),
  'field-order.sorted': lib.sorted,
  'field-order.sorted-outside': (value) => lib.ksorted(value as JsonObject),
  'field-order.table': (value) => lib.eachObject(value, tableOrder),
  'field-order.replacer': (value) =>
    lib.eachObject(lib.sorted(value), (all) =>
      all.filter(([name]) => Object.hasOwn(value as JsonObject, name)),
    ),
};

/** Ways of writing the data of a body that are not JSON. */
const notations: Readonly<Record<string, (value: JsonObject) => string>> = {
  'other-notation.python': lib.pythonStr,
  'other-notation.java': lib.javaMap,
  'form-encoded.php': (value) => lib.httpBuildQuery(value),
  'form-encoded.php-decoded': (value) => lib.httpBuildQuery(value, (text) => text),
  'form-encoded.python': lib.pythonUrlencode,
  'form-encoded.qs': (value) =>
    lib.httpBuildQuery(
      lib.eachValue(value, (each) => (typeof each === 'boolean' ? String(each) : each)),
      lib.rawurlencode,
    ),
  'form-encoded.url-search-params': (value) =>
    new URLSearchParams(value as Record<string, string>).toString(),
  'form-encoded.pairs': (value) => lib.pairs(scalarsOf(value)),
  'canonical-string.empty': (value) =>
    lib.pairs(lib.signedNames.map((name) => [name, Object.fromEntries(scalarsOf(value))[name] ?? ''])),
  'canonical-string.omit': (value) =>
    lib.pairs(lib.signedNames.flatMap((name) => scalarsOf(value).filter(([each]) => each === name))),
};
const scalarsOf = (value: JsonObject): Pairs =>
  Object.entries(value).map(([name, each]) => [name, each as string]);

const encoders: Readonly<Record<string, (text: string) => string>> = {
  'quote-plus': lib.quotePlus,
  urlencode: lib.urlencode,
  form: lib.formUrl,
  component: encodeURIComponent,
  rawurlencode: lib.rawurlencode,
  quote: lib.quote,
  dotnet: lib.dotnetUrl,
  html: (text) => lib.htmlEncoded(text, false),
  'html-quotes': (text) => lib.htmlEncoded(text, true),
};

/** Changes of a text. */
const texts: Readonly<Record<string, (text: string, given: Case) => Bytes>> = {
  'line-breaks.end': (text) => `${text}\n`,
  'line-breaks.end-windows': (text) => `${text}\r\n`,
  'line-breaks.trimmed': (text) => text.trim(),
  'line-breaks.windows': (text) => text.split(/\r?\n/).join('\r\n'),
  'line-breaks.unix': (text) => text.split('\r\n').join('\n'),
  'line-breaks.shell': (text) =>
    `${text
      .split(/[ \t\n]+/)
      .filter(Boolean)
      .join(' ')}\n`,
  'byte-order-mark.signed': (text) => `\uFEFF${text}`,
  'byte-order-mark.sent': (text) => text.slice(1),
  'unicode-normalised.NFC': (text) => text.normalize('NFC'),
  'unicode-normalised.NFD': (text) => text.normalize('NFD'),
  'body-wrapped.json': (text) => JSON.stringify(text),
  'body-wrapped.json-php': (text) => lib.php(text),
  'body-wrapped.json-ascii': (text) => lib.python(text),
  'body-wrapped.sent': (text) => JSON.parse(text) as string,
  'body-encoded.base64': (text) => Buffer.from(text).toString('base64'),
  'body-encoded.hex': (text) => Buffer.from(text).toString('hex'),
  'body-encoding.latin1': (text) => Buffer.from(text.replaceAll(/[^\0-\xff]/gu, '?'), 'latin1'),
  'body-encoding.ascii': (text) => text.replaceAll(/[^\0-\x7f]/gu, '?'),
  'body-encoding.utf8-twice': (text) => Buffer.from(text).toString('latin1'),
  'body-encoding.utf16': (text) => Buffer.from(text, 'utf16le'),
  'body-encoding.sent-twice': (text) => Buffer.from(text, 'latin1').toString(),
  'body-encoding.sent-latin1': (_text, given) => given.body.toString('latin1'),
  'body-empty': () => '',
  'slashes-added': (text) => text.replaceAll(/[\\'"]/g, '\\$&'),
  'file-included.name': (text) => `${text}&file=invoice.pdf`,
  'file-included.content': (text) => `${text}%PDF-1.4`,
  'body-signed.form': () => '--boundary\r\n',
  'body-signed.file': () => '%PDF-1.4',
};

const added = ({ operation, secretKey }: Case): Readonly<Record<string, string>> => ({
  time: '2026-11-20 10:04:05',
  client: 'demo-client',
  path: operation === 'payment' ? '/v2/payments' : '/v2/payments/upload-invoice',
  key: secretKey,
});

const byName = (fields: Pairs) => fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
const isSent = ({ fields }: Case, name: string) => fields[name] !== undefined;
function inserted(fields: Pairs, { fields: sent }: Case, place: number): Pairs {
  return fields.toSpliced(place, 0, ['fileUrl', sent['fileUrl'] ?? '']);
}

/** Changes of the fields of an upload. */
const forms: Readonly<Record<string, (fields: Pairs, given: Case, detail: string) => Pairs>> = {
  'absent-fields-included': (_fields, { fields }) =>
    lib.signedNames.map((name) => [name, fields[name] ?? '']),
  'absent-fields-omitted.absent': (fields, given) => fields.filter(([name]) => isSent(given, name)),
  'absent-fields-omitted.empty': (fields) => fields.filter(([, value]) => value !== ''),
  'absent-fields-omitted': (fields, _given, field) => fields.filter(([name]) => name !== field),
  'absent-fields-as-text': (fields, given, text) =>
    fields.map(([name, value]) => [name, isSent(given, name) ? value : text]),
  'file-included.url-end': (fields, given) => inserted(fields, given, fields.length),
  'file-included.url-table': (fields, given) =>
    inserted(
      fields,
      given,
      fields.findIndex(([name]) => name === 'description'),
    ),
  'field-order.sorted': byName,
  'field-order.sent': (fields, given) => {
    const names = Object.keys(given.fields);
    const rank = (name: string) => names.indexOf(name) + 1 || 99;
    return fields.toSorted(([a], [b]) => rank(a) - rank(b));
  },
  // The order of a shop of its own: own:merchantId-storeId…
  'field-order': (fields, _given, own) => {
    const names = own.slice(4).split('-');
    // Of those fields, and of no others.
    if (
      names.toSorted().join() !==
      fields
        .map(([name]) => name)
        .sort()
        .join()
    )
      return [];
    return names.map((name) => [name, Object.fromEntries(fields)[name] ?? '']);
  },
  'fields-as-sent': (_fields, { fields }) => Object.entries(fields),
  'fields-as-sent.sorted': (_fields, { fields }) => byName(Object.entries(fields)),
  'date-format': (fields, _given, date) =>
    fields.map(([name, value]) => [name, name === 'invoiceDate' ? date : value]),
  'values-trimmed': (fields) => fields.map(([name, value]) => [name, value.trim()]),
  'body-reserialised': (fields, _given, form) =>
    fields.map(([name, value]) => {
      if (name !== 'extraData') return [name, value];
      return [name, form === 'object' ? '[object Object]' : (jsonForms[form]?.(parse(value)) ?? '')];
    }),
};
const jsonForms: Readonly<Record<string, (value: Json) => string>> = {
  compact: (value) => json(value),
  ascii: (value) => lib.python(value, { separators: [',', ':'] }),
  php: (value) => lib.php(value),
  python: (value) => lib.python(value),
  spaced: (value) => lib.python(value, { ascii: false }),
  dict: lib.pythonStr,
};

function joinOf(form: string): State['join'] {
  if (form === 'first') return (fields) => `&${lib.pairs(fields)}`;
  if (form === 'last') return (fields) => `${lib.pairs(fields)}&`;
  if (form === 'html') return (fields) => lib.pairs(fields, '&amp;');
  if (form.startsWith('pairs')) return (fields) => lib.pairs(fields, form.slice(5));
  if (form.startsWith('values')) return (fields) => fields.map(([, value]) => value).join(form.slice(6));
  return (fields) => jsonForms[form]?.(Object.fromEntries(fields)) ?? '';
}

const hashed = (algorithm: string, ...parts: readonly Bytes[]) =>
  createHash(algorithm)
    .update(Buffer.concat(parts.map((each) => Buffer.from(each))))
    .digest();

const keys: Readonly<Record<string, (key: string, detail: string) => Bytes>> = {
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
  'secret-not-decoded.text': (key) => key,
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

const digests: Readonly<Record<string, (detail: string) => State['digest']>> = {
  'hash-algorithm': (name) => (text, key) => createHmac(name, key).update(text).digest(),
  'hash-unkeyed': (form) => (text, key) => {
    const [algorithm = '', ...parts] = form.split('-');
    return hashed(algorithm, ...parts.map((part) => (part === 'key' ? key : text)));
  },
  'arguments-swapped': () => (text, key) => createHmac('sha256', text).update(key).digest(),
};

/** Takes a layer off the signature. */
const layers: Readonly<Record<string, (read: string) => string>> = {
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

/** Reads the digest from a notation that is not the expected one. */
const readers: Readonly<Record<string, (read: string) => Buffer>> = {
  'digest-encoded-twice': (read) => fromText(fromText(read).toString('latin1')),
  'digest-prefixed.sum': (read) => Buffer.from(read, 'hex').subarray(-32),
  'digest-upper-case': (read) => Buffer.from(/[A-F]/.test(read) ? read : '', 'hex'),
  'digest-lower-case': (read) => Buffer.from(/[a-f]/.test(read) ? read : '', 'hex'),
  'digest-hex': (read) => Buffer.from(read, 'hex'),
  'digest-base64': (read) => Buffer.from(read, 'base64'),
  'digest-raw': (read) => Buffer.from(read, 'latin1'),
};

const lossy: Readonly<Record<string, (hex: string, length: number) => string>> = {
  'digest-shortened': (hex) => BigInt(`0x${hex}`).toString(16),
  'digest-cut': (hex, length) => hex.slice(0, length),
};

function textOf(state: State): string {
  if (state.text !== undefined) return state.text.toString();
  if (state.given.operation === 'upload') return state.join(state.fields);
  const body = state.given.body.toString();
  if (!state.isRewritten) return body;
  const core = body.trim();
  const [before = '', after = ''] = body.split(core);
  return before + written(state) + after;
}

/** Makes the mistake with this ID. */
function step(state: State, id: string): void {
  const [kind = '', ...rest] = id.split('.');
  const detail = rest.join('.');
  const own = <Made>(table: Readonly<Record<string, Made>>) => table[id] ?? table[kind];
  const { given } = state;
  const isUpload = given.operation === 'upload';
  const [change, notation, text, key, digest] = [
    own(data),
    own(notations),
    own(texts),
    own(keys),
    own(digests),
  ];
  const [form, layer, reader, lost] = [own(forms), own(layers), own(readers), own(lossy)];
  const isEncoded = kind === 'url-encoded' || kind === 'html-encoded';
  const encode = isEncoded ? encoders[detail.replace('whole-', '')] : undefined;
  const isJson = /^[[{]/.test(given.body.toString().trim());
  const isStyle = /^body-(?:pretty-printed|reserialised)$/.test(kind) || (kind === 'body-escaped' && isJson);
  state.isRewritten ||= isStyle || Boolean(change ?? notation);
  if (isUpload && form) state.fields = form(state.fields, given, detail);
  else if (!isUpload && change) state.value = change(state.value, detail);
  else if (styles[detail] && /^body-(?:pretty-printed|reserialised)$/.test(kind))
    state.style = styles[detail];
  else if (kind === 'body-escaped') state.writer = detail;
  else if (kind === 'separators') state.join = joinOf(detail);
  else if (notation) state.text = notation(state.value as JsonObject);
  else if (text) state.text = text(textOf(state), given);
  else if (encode && !detail.startsWith('whole-'))
    state.fields = state.fields.map(([name, value]) => [name, encode(value)]);
  else if (encode) state.text = encode(textOf(state));
  else if (kind === 'body-placeholder') state.text = detail;
  else if (kind === 'text-added') {
    const [, first = '', second = '', mark = ''] = /^(\w+)-(\w+|&key=)([.|\n]?)$/.exec(detail) ?? [];
    const parts = { ...added(given), text: textOf(state), '&key=': `&key=${given.secretKey}` } as Record<
      string,
      string
    >;
    state.text = `${parts[first]}${mark}${parts[second]}`;
  } else if (key) state.key = key(given.secretKey, detail);
  else if (digest) state.digest = digest(detail);
  else if (layer) state.read = layer(state.read);
  else if (reader) state.reader = reader;
  else if (lost) state.lost = (hex) => lost(hex, state.read.length);
  else throw new Error(`an ID that is not known: ${id}`);
}

function digestOf(state: State): Buffer {
  const { given, text, isRewritten } = state;
  const isBody = text === undefined && given.operation === 'payment' && !isRewritten;
  return state.digest(isBody ? given.body : (text ?? textOf(state)), state.key);
}

function stateOf(given: Case): State {
  const names = lib.signedNames.filter((name) => given.absentFields !== 'omit' || isSent(given, name));
  return {
    given,
    isRewritten: false,
    ...partsOf(given.body.toString()),
    fields: names.map((name) => [name, given.fields[name] ?? '']),
    join: (fields) => lib.pairs(fields),
    text: undefined,
    key: Buffer.from(given.secretKey, given.secretKeyEncoding),
    digest: (text, key) => createHmac('sha256', key).update(text).digest(),
    read: given.signature,
    reader: undefined,
    lost: undefined,
  };
}

/** True if the mistakes with these IDs lead to the signature of the case. */
export function leadsToSignature(given: Case, ids: readonly string[]): boolean {
  const state = stateOf(given);
  for (const id of ids) step(state, id);
  const digest = digestOf(state);
  const { read, reader, lost } = state;
  const encoding = given.signatureEncoding ?? 'hex';
  if (lost) {
    const hex = lost(digest.toString('hex'));
    if (reader || given.operation === 'upload') return hex === read.toLowerCase();
    return read === (encoding === 'hex-upper' ? hex.toUpperCase() : encoding === 'hex' ? hex : '');
  }
  if (reader) return reader(read).equals(digest);
  const text = digest.toString(encoding === 'hex-upper' ? 'hex' : encoding);
  if (given.operation === 'upload') return text === read.toLowerCase();
  return (encoding === 'hex-upper' ? text.toUpperCase() : text) === read;
}
