import { isRecord, jsonIn } from '../../values/untrusted-values.js';
import { shapes, type Scheme } from './find-scheme.js';

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
/** A placeholder as the name of a constant. */
const nameOf = (placeholder: string) => /\w+/.exec(placeholder)?.[0] ?? '';

const digests: Readonly<Record<Scheme['encoding'], string>> = {
  hex: '[0-9a-f]{64}',
  'hex-upper': '[0-9A-F]{64}',
  base64: '[A-Za-z0-9+/]{43}=',
  base64url: '[\\w-]{43}',
};

/** The scheme in words. */
export function schemeInWords({
  place,
  encoding,
  secretKeyEncoding,
  keyPrefix,
  signed,
  parts,
}: Scheme): string {
  const where =
    'member' in place
      ? `the member ${place.member} of the body`
      : `the header ${place.header}, after ${quoted(place.before)}`;
  const sources = parts.map(
    ({ placeholder, header }) => `${placeholder} is from ${header ?? 'the same header'}`,
  );
  const key = `the key ${keyPrefix === '' ? '' : `after ${keyPrefix} `}as ${secretKeyEncoding}`;
  const words = [`HMAC-SHA256 over ${signed} with ${key}, in ${encoding}, in ${where}`, ...sources].join(
    '; ',
  );
  const isPart = /^\{(?:body|sorted)\.\w+\}$/.test(signed);
  return `${words}.${isPart ? ' Nothing else in the body is signed: trust nothing else.' : ''}`;
}

/** Parts that stand in the header of the signature. */
const ownParts = ({ parts }: Pick<Scheme, 'parts'>) => parts.filter(({ header }) => header === undefined);

/**
 * True where the signature stands behind values of this delivery alone, such as a nonce, or the signature with the other key while
 * a key is changed.
 */
function isBehindOthers({ place, parts }: Pick<Scheme, 'place' | 'parts'>): boolean {
  if ('member' in place) return false;
  const rest = ownParts({ parts }).reduce((text, { value }) => text.replace(value, ''), place.before);
  return rest.search(shapes) >= 0 || /=[^\s,;=]+[\s,;]/.test(rest);
}

/** The same for a header in which any of the texts that look like a digest may be the signature. */
function anySignatureLines(header: string, before: string, scheme: Scheme): string[] {
  const digest = digests[scheme.encoding].replaceAll('/', '\\/');
  const own = ownParts(scheme).map(({ value, placeholder }) => {
    const [, label = ''] = new RegExp(`(\\w*=?)${escaped(value)}`).exec(before) ?? [];
    return `const [, ${nameOf(placeholder)} = ''] = /(?:^|[\\s,;])${label}([\\w:.+-]+)/.exec(header) ?? [];`;
  });
  return [
    `const header = headers.get(${quoted(header)}) ?? '';`,
    '// The header has other values too, perhaps the signature with another key.',
    `const signatures = header.match(/(?<![\\w+\\/-])${digest}(?![\\w+\\/=-])/g) ?? [];`,
    ...own,
    ...otherPartLines(scheme),
  ];
}

/** Lines for what stands in other headers. */
const otherPartLines = ({ parts }: Pick<Scheme, 'parts'>) =>
  parts.flatMap(({ header, placeholder }) =>
    header === undefined ? [] : [`const ${nameOf(placeholder)} = headers.get(${quoted(header)}) ?? '';`],
  );

/** Lines of JavaScript that take the signature, and what is signed with the body, out of a request. */
function readingLines(scheme: Scheme): string[] {
  const { place, encoding } = scheme;
  if ('member' in place)
    return [`const { ${quoted(place.member)}: signature = '', ...fields } = read(body);`];
  if (isBehindOthers(scheme)) return anySignatureLines(place.header, place.before, scheme);
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

/** The signed text as an expression of JavaScript. */
function signedExpression({ signed, place, parts }: Scheme): string {
  const [, kind, name] = /^\{(body|sorted)(?:\.(\w+))?\}$/.exec(signed) ?? [];
  const fields = 'member' in place ? 'fields' : 'read(body)';
  if (kind === 'sorted') return `sorted(${fields}${name === undefined ? '' : `.${name} ?? {}`})`;
  if (name !== undefined) return `String(${fields}.${name})`;
  const before = parts.reduce(
    // A time in milliseconds has its placeholder and three zeros: here it is whole.
    (text, { placeholder }) => text.replace(placeholder, () => `\${${nameOf(placeholder)}}`),
    signed.replace('{body}', ''),
  );
  return before === '' ? 'body' : `\`${before}\`).update(body`;
}

const readCode = `/** The JSON of a body that is not verified yet. */
function read(body) {
  try {
    return JSON.parse(new TextDecoder().decode(body)) ?? {};
  } catch {
    return {};
  }
}`;
const sortedCode = `const textOf = (value) =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
const sorted = (fields) =>
  Object.keys(fields).sort().map((name) => \`\${name}=\${textOf(fields[name])}\`).join('&');`;

/** Code of a handler that accepts notifications of this scheme; `variable` of the environment has the key. */
export function handlerCode(scheme: Scheme, variable: string): string {
  const { place, encoding, secretKeyEncoding, keyPrefix, signed } = scheme;
  const own = "import { createWebhookHandler } from 'installment-payments/webhooks';";
  const secret = `process.env.${variable}`;
  const end = [
    '  onEvent: async (event) => {',
    '    // compare amount, currency and merchant, then store it',
    '  },',
    '});',
  ];
  if ('header' in place && place.before === '' && signed === '{body}' && keyPrefix === '') {
    return [
      own,
      '',
      'export const webhook = createWebhookHandler({',
      `  secretKey: ${secret},`,
      `  signatureHeader: ${quoted(place.header)},`,
      `  signatureEncoding: ${quoted(encoding)},`,
      `  secretKeyEncoding: ${quoted(secretKeyEncoding)},`,
      ...end,
    ].join('\n');
  }
  const text = keyPrefix === '' ? secret : `${secret}.slice(${keyPrefix.length})`;
  const digest = encoding === 'hex-upper' ? "digest('hex').toUpperCase()" : `digest(${quoted(encoding)})`;
  return [
    "import { createHmac, timingSafeEqual } from 'node:crypto';",
    own,
    '',
    `const key = Buffer.from(${text}, ${quoted(secretKeyEncoding)});`,
    ...('member' in place || /^\{(?:sorted|body\.)/.test(signed) ? [readCode] : []),
    ...(signed.startsWith('{sorted') ? [sortedCode] : []),
    '',
    'export const webhook = createWebhookHandler({',
    '  verify({ body, headers }) {',
    ...readingLines(scheme).map((line) => `    ${line}`),
    `    const expected = createHmac('sha256', key).update(${signedExpression(scheme)}).${digest};`,
    ...(isBehindOthers(scheme)
      ? [
          '    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature), Buffer.from(expected)));',
        ]
      : [
          '    const [left, right] = [Buffer.from(String(signature)), Buffer.from(expected)];',
          '    return left.length === right.length && timingSafeEqual(left, right);',
        ]),
    '  },',
    ...end,
  ].join('\n');
}

const guesses = [
  [/amount|total/i, '{amount.value}'],
  [/currency/i, '{amount.currency}'],
  [/status|state/i, '{status}'],
  [/desc/i, '{description}'],
  [/merchant/i, '{merchantId}'],
  [/order|reference/i, '{referenceId}'],
] as const;

/** The members of a captured body, with what the mock can fill in: no value of the customer is kept. */
function bodyTemplate(value: unknown, member: string | undefined, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => bodyTemplate(each, undefined, name));
  if (isRecord(value)) {
    const members = Object.entries(value).map(([each, inner]) => [
      each,
      each === member ? '{signature}' : bodyTemplate(inner, undefined, each),
    ]);
    return Object.fromEntries(members) as object;
  }
  const inner = typeof value === 'string' ? jsonIn(value) : undefined;
  if (isRecord(inner)) return JSON.stringify(bodyTemplate(inner, undefined));
  const guess = guesses.find(([shape]) => shape.test(name))?.[1];
  return guess ?? (typeof value === 'string' ? '' : typeof value === 'number' ? 0 : value);
}

const otherSignatures = new RegExp(`(?:\\w+[=,])?${shapes.source}[\\s,;]+`, 'g');

/** The `webhook.template` with which the mock sends notifications of this scheme. */
export function templateOf(
  { place, encoding, signed, parts }: Scheme,
  body: unknown,
): Record<string, unknown> {
  const member = 'member' in place ? place.member : undefined;
  const others = parts.flatMap(({ header, placeholder }) =>
    header === undefined ? [] : [[header, placeholder]],
  );
  // Without the signatures with other keys.
  const before = 'header' in place ? place.before.replaceAll(otherSignatures, '') : '';
  const prefix = ownParts({ parts }).reduce(
    (text, { value, placeholder }) => text.replace(value, () => placeholder),
    before,
  );
  return {
    ...('header' in place && { header: place.header }),
    ...(encoding !== 'hex' && { encoding }),
    ...(prefix !== '' && { prefix }),
    ...(others.length > 0 && { headers: Object.fromEntries(others) as object }),
    ...(signed !== '{body}' && { signed }),
    ...(isRecord(body) && { body: bodyTemplate(body, member) }),
  };
}
