import { readFileSync } from 'node:fs';

/*
 * How libraries of other languages write the same data. Nothing of src is used here, so that the diagnosis is not
 * compared with itself; serialisations.json has what some of these libraries really wrote.
 */

export type Json = string | number | boolean | null | Written | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A value with a given text, such as 12000000.0. */
export class Written {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export interface Style {
  readonly indent?: string;
  readonly newline?: string;
  readonly comma?: string;
  readonly colon?: string;
  /** Jackson begins an array on the line of its first element. */
  readonly inlineArrays?: boolean;
  readonly text?: (value: string) => string;
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Written);

/** JSON in this style; compact by default. */
export function json(value: Json, style: Style = {}, depth = 0): string {
  const { indent, newline = '\n', comma = ',', colon = ':', inlineArrays = false, text = plainText } = style;
  if (value instanceof Written) return value.text;
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isInline = inlineArrays && !isObject(value);
  const inner = isInline ? depth : depth + 1;
  const parts = isObject(value)
    ? Object.entries(value).map(([name, each]) => text(name) + colon + json(each, style, inner))
    : value.map((each) => json(each, style, inner));
  const [open, close] = isObject(value) ? ['{', '}'] : ['[', ']'];
  if (isInline) return parts.length === 0 ? '[ ]' : `[ ${parts.join(', ')} ]`;
  if (parts.length === 0) return open + close;
  if (indent === undefined) return open + parts.join(comma) + close;
  const line = (level: number) => newline + indent.repeat(level);
  return open + line(inner) + parts.join(`,${line(inner)}`) + line(depth) + close;
}

export const plainText = (value: string) => JSON.stringify(value);
const hexOf = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0');

/** Strings with \u escapes for these characters. A quotation mark among them is escaped so too. */
function escaping(characters: RegExp, digits: 'lower' | 'upper' = 'lower') {
  return (value: string) =>
    `"${value.replaceAll(/[\s\S]/g, (unit) => {
      if (characters.test(unit)) return `\\u${digits === 'lower' ? hexOf(unit) : hexOf(unit).toUpperCase()}`;
      return /[\ud800-\udfff]/.test(unit) ? unit : JSON.stringify(unit).slice(1, -1);
    })}"`;
}
const slashed = (text: (value: string) => string) => (value: string) => text(value).replaceAll('/', '\\/');

const ascii = escaping(/[\u0080-\uffff]/);

/** The strings of JSON by the names that the diagnosis has for their escapes. */
export const writers: Readonly<Record<string, (value: string) => string>> = {
  none: plainText,
  slash: slashed(plainText),
  unicode: ascii,
  php: slashed(ascii),
  jackson: escaping(/[\u0080-\uffff]/, 'upper'),
  go: escaping(/[<>&\u2028\u2029]/),
  gson: escaping(/[<>&='\u2028\u2029]/),
  newtonsoft: escaping(/["&'<>]/),
  dotnet: escaping(/["&'+<>`\u007f-\uffff]/, 'upper'),
};
const writtenBy =
  (writer: keyof typeof writers) =>
  (value: Json, layout: Style = {}) =>
    json(value, { ...layout, text: writers[writer] ?? plainText });

type PhpFlag = 'slashes' | 'unicode' | 'pretty';

/** json_encode of PHP with JSON_UNESCAPED_SLASHES, JSON_UNESCAPED_UNICODE, JSON_PRETTY_PRINT. */
export function php(value: Json, ...flags: readonly PhpFlag[]): string {
  const text = flags.includes('unicode') ? plainText : ascii;
  const layout = flags.includes('pretty') ? indented(4) : {};
  return json(value, { ...layout, text: flags.includes('slashes') ? text : slashed(text) });
}

interface PythonCall {
  readonly ascii?: boolean;
  readonly indent?: number;
  readonly separators?: readonly [comma: string, colon: string];
  readonly sort?: boolean;
}

/** json.dumps of Python. */
export function python(value: Json, call: PythonCall = {}): string {
  const [comma, colon] = call.separators ?? [call.indent === undefined ? ', ' : ',', ': '];
  const layout = call.indent === undefined ? { comma, colon } : { indent: ' '.repeat(call.indent), colon };
  const text = call.ascii === false ? plainText : ascii;
  return json(call.sort ? sorted(value) : value, { ...layout, text });
}

/** encoding/json of Go; a map is sorted. */
export const go = writtenBy('go');
/** Gson; its pretty printing has two spaces. */
export const gson = writtenBy('gson');
/** System.Text.Json with its default encoder. */
export const dotnet = writtenBy('dotnet');
/** Newtonsoft.Json with StringEscapeHandling.EscapeHtml. */
export const newtonsoftHtml = writtenBy('newtonsoft');
/** Jackson with ESCAPE_NON_ASCII. */
export const jacksonAscii = writtenBy('jackson');

export const indented = (spaces: number): Style => ({ indent: ' '.repeat(spaces), colon: ': ' });
export const jackson: Style = { indent: '  ', colon: ' : ', inlineArrays: true };

type Entries = readonly (readonly [string, Json])[];

/** Changes the entries of every object, the inner ones first. `name` is the field that holds it. */
export function eachObject(
  value: Json,
  change: (entries: Entries, name: string) => Entries,
  name = '',
): Json {
  if (value instanceof Written || typeof value !== 'object' || value === null) return value;
  if (!isObject(value)) return value.map((each) => eachObject(each, change, name));
  const inner = Object.entries(value).map(([key, each]) => [key, eachObject(each, change, key)] as const);
  return Object.fromEntries(change(inner, name));
}

/** Changes every array, the inner ones first. */
export function eachArray(value: Json, change: (elements: readonly Json[]) => Json): Json {
  if (value instanceof Written || typeof value !== 'object' || value === null) return value;
  if (!isObject(value)) return change(value.map((each) => eachArray(each, change)));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, eachArray(each, change)]));
}

/** Changes every value that is neither an object nor an array. */
export function eachValue(value: Json, change: (value: Json, name: string) => Json, name = ''): Json {
  if (value instanceof Written || typeof value !== 'object' || value === null) return change(value, name);
  if (!isObject(value)) return value.map((each) => eachValue(each, change, name));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, eachValue(each, change, key)]));
}

const byName = (entries: Entries) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1));

export const sorted = (value: Json) => eachObject(value, byName);
/** The result of PHP's ksort, which sorts only the outer fields. */
export const ksorted = (value: JsonObject): JsonObject => Object.fromEntries(byName(Object.entries(value)));

export const renamed = (value: Json, rename: (name: string) => string) =>
  eachObject(value, (entries) => entries.map(([name, each]) => [rename(name), each]));
export const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
export const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every number in the form of a library with another type. */
export const numbers = (value: Json, write: (number: number) => Json, names?: readonly string[]) =>
  eachValue(value, (each, name) =>
    typeof each === 'number' && (names === undefined || names.includes(name)) ? write(each) : each,
  );
export const amounts = ['value', 'price', 'totalAmount'];
export const fixed = (digits: number) => (number: number) => new Written(number.toFixed(digits));
/** Double.toString of Java for whole numbers. */
export const javaDouble = (number: number) => {
  if (number < 1e7) return new Written(number.toFixed(1));
  const [digits = '', power = ''] = number.toExponential().split('e+');
  return new Written(`${digits.includes('.') ? digits : `${digits}.0`}E${power}`);
};

const percent = (text: string, kept: RegExp) =>
  Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    return kept.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
export const rawurlencode = (text: string) => percent(text, /[A-Za-z0-9._~-]/);
export const urlencode = (text: string) => percent(text, /[A-Za-z0-9._ -]/).replaceAll(' ', '+');
export const quotePlus = (text: string) => percent(text, /[A-Za-z0-9._~ -]/).replaceAll(' ', '+');
/** urllib.parse.quote of Python. */
export const quote = (text: string) => percent(text, /[A-Za-z0-9._~/-]/);
/** URLSearchParams of JavaScript, java.net.URLEncoder: * stays, ~ does not. */
export const formUrl = (text: string) => percent(text, /[A-Za-z0-9._ *-]/).replaceAll(' ', '+');
export const dotnetUrl = (text: string) =>
  percent(text, /[A-Za-z0-9._ *()!-]/)
    .replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
    .replaceAll(' ', '+');

/** http_build_query of PHP. */
export function httpBuildQuery(value: Json, encode = urlencode, path = ''): string {
  if (typeof value === 'object' && value !== null && !(value instanceof Written)) {
    return Object.entries(value)
      .map(([key, each]) => httpBuildQuery(each, encode, path === '' ? key : `${path}[${key}]`))
      .filter((part) => part !== '')
      .join('&');
  }
  if (value === null) return '';
  const text =
    value instanceof Written
      ? value.text
      : typeof value === 'boolean'
        ? String(Number(value))
        : String(value);
  return `${encode(path)}=${encode(text)}`;
}

/** repr() of Python for a text. */
function pythonText(value: string): string {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  return mark + value.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`) + mark;
}

/** str() of Python for data. */
export function pythonStr(value: Json): string {
  if (value instanceof Written) return value.text;
  if (typeof value === 'string') return pythonText(value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (!isObject(value)) return `[${value.map(pythonStr).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, each]) => `${pythonText(name)}: ${pythonStr(each)}`)
    .join(', ')}}`;
}

/** urllib.parse.urlencode of Python for data, whose inner values are str(). */
export const pythonUrlencode = (value: JsonObject) =>
  Object.entries(value)
    .map(
      ([name, each]) => `${quotePlus(name)}=${quotePlus(typeof each === 'string' ? each : pythonStr(each))}`,
    )
    .join('&');

/** toString() of a map of Java. */
export function javaMap(value: Json): string {
  if (value instanceof Written) return value.text;
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isObject(value)) return `[${value.map(javaMap).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, each]) => `${name}=${javaMap(each)}`)
    .join(', ')}}`;
}

/** The fields that the signature of an upload covers, in the order of the specification. */
export const signedNames = [
  'merchantId',
  'referenceId',
  'paymentTransId',
  'storeId',
  'invoiceNumber',
  'invoiceDate',
  'description',
  'extraData',
];

/** The documented fields by the field that holds them, in the order of the specification. */
export const documentedFields: Readonly<Record<string, string>> = {
  '': 'merchantId storeId referenceId platformId requestType paymentMethod description successRedirectUrl unSuccessRedirectUrl amount items customer shipping lang extraData terminalType installment seller transExpiredTime sendSms sendEmail',
  amount: 'value currency',
  items: 'productId productName category currency quantity price totalAmount description imageUrl',
  customer: 'phoneNumber email firstName lastName rank description gender dateOfBirth',
  shipping: 'city district ward street houseNumber country zipCode streetNumber houseExtension',
  seller: 'id email name address',
  installment: 'packageId',
};

/** Fields as name=value pairs, in the given order. */
export const pairs = (fields: readonly (readonly [string, string])[], mark = '&') =>
  fields.map(([name, value]) => `${name}=${value}`).join(mark);

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
/** htmlspecialchars of PHP, with quotation marks or without (ENT_NOQUOTES). */
export const htmlEncoded = (text: string, quotes: boolean) =>
  text.replaceAll(quotes ? /[&<>"']/g : /[&<>]/g, (mark) => entities[mark as keyof typeof entities]);

interface Serialisations {
  readonly sent: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly calls: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * An order, and what libraries really made of it: written once by the versions that the file names. Bytes that are
 * not UTF-8 are in base64.
 */
const { sent, calls } = JSON.parse(
  readFileSync(new URL('serialisations.json', import.meta.url), 'utf8'),
) as Serialisations;

/** The order in compact JSON without escapes. */
export const sentText = sent;

/** The texts by the calls that wrote them, such as `php: json_encode default`. */
export const recorded = new Map(
  Object.entries(calls).flatMap(([language, texts]) =>
    Object.entries(texts).map(([call, text]): [string, Buffer] => [
      `${language}: ${call}`,
      text.startsWith('base64:') ? Buffer.from(text.slice(7), 'base64') : Buffer.from(text),
    ]),
  ),
);
