import { ownParts, digestShape, signedPartOf, type Part, type Scheme } from './find-scheme.js';

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
/** The name of the constant for a placeholder. */
const nameOf = (placeholder: string) => /\w+/.exec(placeholder)?.[0] ?? '';

const digests: Readonly<Record<Scheme['encoding'], string>> = {
  hex: '[0-9a-f]{64}',
  'hex-upper': '[0-9A-F]{64}',
  base64: '[A-Za-z0-9+/]{43}=',
  base64url: '[\\w-]{43}',
};

/** Describes a scheme in one sentence. */
export function describeScheme({
  place,
  encoding,
  secretKeyEncoding,
  keyPrefix,
  signed,
  parts,
}: Scheme): string {
  const location =
    'member' in place
      ? `the member ${place.member} of the body`
      : `the header ${place.header}, after ${quoted(place.before)}`;
  const sources = parts.map(
    ({ placeholder, header }) => `${placeholder} is from ${header ?? 'the same header'}`,
  );
  const key = `the key ${keyPrefix === '' ? '' : `after ${keyPrefix} `}as ${secretKeyEncoding}`;
  const sentence = [
    `HMAC-SHA256 over ${signed} with ${key}, in ${encoding}, in ${location}`,
    ...sources,
  ].join('; ');
  const part = signedPartOf(signed);
  const warnings = [
    part?.member !== undefined && ' Nothing else in the body is signed. Do not trust the rest.',
    part?.kind === 'concatenated' &&
      ' The signature does not cover where a name ends and its value begins. Accept only the names and values that you expect.',
  ].filter((warning) => warning !== false);
  return `${sentence}.${warnings.join('')}`;
}

/**
 * True if the header of the signature begins with values that are different in another delivery. Such a value is a
 * nonce, or the signature with the other key during a key change.
 */
function isAfterOtherValues({ place, parts }: Pick<Scheme, 'place' | 'parts'>): boolean {
  if ('member' in place) return false;
  const rest = ownParts({ parts }).reduce((text, { value }) => text.replace(value, ''), place.before);
  return rest.search(digestShape) >= 0 || /=[^\s,;=]+[\s,;]/.test(rest);
}

/** Lines of JavaScript for a header in which any text that looks like a digest can be the signature. */
function anySignatureLines(header: string, before: string, scheme: Scheme): string[] {
  const digest = digests[scheme.encoding].replaceAll('/', '\\/');
  const own = ownParts(scheme).map(({ value, placeholder }) => {
    const [, label = ''] = new RegExp(`(\\w*=?)${escaped(value)}`).exec(before) ?? [];
    return `const [, ${nameOf(placeholder)} = ''] = /(?:^|[\\s,;])${label}([\\w:.+-]+)/.exec(header) ?? [];`;
  });
  return [
    `const header = headers.get(${quoted(header)}) ?? '';`,
    '// The header contains other values too, such as a signature with another key.',
    `const signatures = header.match(/(?<![\\w+\\/-])${digest}(?![\\w+\\/=-])/g) ?? [];`,
    ...own,
    ...otherPartLines(scheme),
  ];
}

/** Lines of JavaScript for the parts in other headers. */
const otherPartLines = ({ parts }: Pick<Scheme, 'parts'>) =>
  parts.flatMap(({ header, placeholder }) =>
    header === undefined ? [] : [`const ${nameOf(placeholder)} = headers.get(${quoted(header)}) ?? '';`],
  );

/** Lines of JavaScript that read the signature, and the parts that are signed with the body, from a request. */
function readingLines(scheme: Scheme): string[] {
  const { place, encoding } = scheme;
  if ('member' in place) return [`const { ${quoted(place.member)}: signature, ...fields } = read(body);`];
  if (isAfterOtherValues(scheme)) return anySignatureLines(place.header, place.before, scheme);
  const own = ownParts(scheme);
  const pattern = own.reduce(
    (text, { value, placeholder }) => text.replace(escaped(value), `(?<${nameOf(placeholder)}>[\\w:.+-]+)`),
    escaped(place.before),
  );
  const names = ['signature', ...own.map(({ placeholder }) => nameOf(placeholder))].map(
    (name) => `${name} = ''`,
  );
  return [
    `const found = /^${pattern}(?<signature>${digests[encoding].replaceAll('/', '\\/')})/.exec(headers.get(${quoted(place.header)}) ?? '');`,
    `const { ${names.join(', ')} } = found?.groups ?? {};`,
    ...otherPartLines(scheme),
  ];
}

/** The JavaScript expression for the time of a timestamp in milliseconds, by its placeholder. An ID has no time. */
const times: Readonly<Record<string, (name: string) => string>> = {
  '{timestamp}': (name) => `${name} * 1000`,
  '{timestamp}000': (name) => `Number(${name})`,
  '{settledAt}': (name) => `Date.parse(${name})`,
};

/** Lines of JavaScript that refuse a delivery whose timestamp is five minutes or more from now, or is not a time. */
function ageLines({ parts }: Pick<Scheme, 'parts'>): string[] {
  return parts.flatMap(({ placeholder }: Part) => {
    const time = times[placeholder]?.(nameOf(placeholder));
    if (time === undefined) return [];
    return [
      '// This refuses a copy of an old delivery. It also refuses the captured delivery.',
      `if (!(Math.abs(Date.now() - ${time}) < 5 * 60_000)) return false;`,
    ];
  });
}

/** The signed parts in their order, each as a JavaScript expression for a text or for bytes. */
function signedExpressions({ signed, place, parts }: Scheme): readonly string[] {
  const part = signedPartOf(signed);
  if (part) {
    const fields = 'member' in place ? 'fields' : 'read(body)';
    const value = part.member === undefined ? fields : `${fields}.${part.member}`;
    // `String` would convert an array with one text to that text.
    if (part.kind === 'body') return [`typeof ${value} === 'string' ? ${value} : ''`];
    return [`${part.kind}(${value} ?? {})`];
  }
  const before = parts.reduce(
    // The placeholder of a time in milliseconds is `{timestamp}000`. The constant contains the whole number.
    (text, { placeholder }) => text.replace(placeholder, () => `\${${nameOf(placeholder)}}`),
    signed.replace('{body}', ''),
  );
  return before === '' ? ['body'] : [`\`${before}\``, 'body'];
}

/** A JavaScript expression for the bytes of all parts together. */
function joined(parts: readonly string[]): string {
  const [first = '', ...others] = parts;
  return others.length === 0 ? first : `Buffer.concat([Buffer.from(${first}), ${others.join(', ')}])`;
}

const readCode = `
/** The JSON of a body that is not verified yet. */
function read(body) {
  try {
    return JSON.parse(new TextDecoder().decode(body)) ?? {};
  } catch {
    return {};
  }
}`;

/** The JavaScript function that joins sorted fields. */
function fieldsCode(kind: 'sorted' | 'concatenated'): string {
  const [between, end] = kind === 'sorted' ? ['=', '&'] : ['', ''];
  return `
const textOf = (value) =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
const ${kind} = (fields) =>
  Object.keys(fields).sort().map((name) => \`\${name}${between}\${textOf(fields[name])}\`).join('${end}');`;
}

/** A JavaScript expression for the part of an event that is signed. */
function signedEvent(signed: string): string {
  const part = signedPartOf(signed);
  if (part?.member === undefined) return 'event';
  return part.kind === 'body' ? `JSON.parse(event.${part.member})` : `event.${part.member}`;
}

/**
 * The code of a handler that accepts webhooks of this scheme. The environment variable `variable` contains the key.
 */
export function handlerCode(scheme: Scheme, variable: string): string {
  const { place, encoding, secretKeyEncoding, keyPrefix, signed } = scheme;
  const paymentsImport =
    "import { payments } from './payments.js'; // your createOrderPayments, of installment-payments/orders";
  const end = [
    '  // handleEvent needs { referenceId, status, amount: { value, currency } }. If the event has other names, pass such an object.',
    `  onEvent: async (event) => void (await payments.handleEvent(${signedEvent(signed)})),`,
    '});',
  ];
  const switches = [
    `signatureEncoding: ${quoted(encoding)},`,
    `secretKeyEncoding: ${quoted(secretKeyEncoding)},`,
  ];
  if ('header' in place && place.before === '' && signed === '{body}' && keyPrefix === '') {
    return [
      "import { createWebhookHandler } from 'installment-payments/webhooks';",
      paymentsImport,
      '',
      'export const webhook = createWebhookHandler({',
      `  secretKey: process.env.${variable},`,
      `  signatureHeader: ${quoted(place.header)},`,
      ...switches.map((line) => `  ${line}`),
      ...end,
    ].join('\n');
  }
  const key = `process.env.${variable}${keyPrefix === '' ? '' : `?.replace(/^${keyPrefix}/, '')`}`;
  const part = signedPartOf(signed);
  const comparing = isAfterOtherValues(scheme)
    ? [
        'return signatures.some((signature) => timingSafeEqual(Buffer.from(signature), Buffer.from(expected)));',
      ]
    : [
        "if (typeof signature !== 'string') return false;",
        'const [left, right] = [Buffer.from(signature), Buffer.from(expected)];',
        'return left.length === right.length && timingSafeEqual(left, right);',
      ];
  return [
    "import { timingSafeEqual } from 'node:crypto';",
    "import { createWebhookHandler, signWebhook } from 'installment-payments/webhooks';",
    paymentsImport,
    ...('member' in place || part ? [readCode] : []),
    ...(part && part.kind !== 'body' ? [fieldsCode(part.kind)] : []),
    '',
    'export const webhook = createWebhookHandler({',
    '  verify({ body, headers }) {',
    ...readingLines(scheme).map((line) => `    ${line}`),
    ...ageLines(scheme).map((line) => `    ${line}`),
    '    // signWebhook throws without a usable key, and the response is 500.',
    `    const expected = signWebhook(${joined(signedExpressions(scheme))}, ${key}, {`,
    ...switches.map((line) => `      ${line}`),
    '    });',
    ...comparing.map((line) => `    ${line}`),
    '  },',
    ...end,
  ].join('\n');
}
