import { signedInvoiceFields } from '../../protocol/canonical-string.js';
import { onFields } from './form-fields.js';
import type { Draft, Field, Ingredient, Stage, Rarity } from './draft.js';
import { percentEncodings } from './percent-encodings.js';
import type { Mistake } from './types.js';

function onValues(
  id: Mistake,
  rarity: Rarity,
  message: string,
  fix: string,
  change: (value: string, name: string) => string,
): Ingredient<Draft> {
  return onFields(id, rarity, message, fix, (fields) =>
    fields.map(([name, value]): Field => [name, change(value, name)]),
  );
}

const asSent = 'Sign each value exactly as it is sent.';

function html(entities: Readonly<Record<string, string>>): (value: string) => string {
  return (value) => value.replaceAll(/["'&<>]/g, (found) => entities[found] ?? found);
}

/** The values in another form. */
export const valueStage: Stage<Draft> = [
  ...percentEncodings.map(({ name, encode }, index) =>
    onValues(
      'url-encoded',
      index < 3 ? 2 : 3,
      `The values were ${name} before they were signed.`,
      `${asSent} PHP: no http_build_query, urlencode or rawurlencode. Python: no urlencode or quote. JavaScript: no URLSearchParams or encodeURIComponent.`,
      encode,
    ),
  ),
  onValues(
    'values-trimmed',
    2,
    'The values were signed without the white space at their ends; they were sent with it.',
    'Trim the values before they are signed and sent.',
    (value) => value.trim(),
  ),
  onValues(
    'values-trimmed',
    3,
    'The values were signed without the white space at their right ends; they were sent with it.',
    'Trim the values before they are signed and sent.',
    (value) => value.trimEnd(),
  ),
  onValues(
    'white-space-removed',
    4,
    'The values were signed with runs of white space as one space; they were sent otherwise.',
    asSent,
    (value) => value.trim().replaceAll(/\s+/g, ' '),
  ),
  onValues(
    'html-escaped',
    3,
    'The values were escaped for HTML before they were signed.',
    `${asSent} PHP: no htmlspecialchars.`,
    html({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' }),
  ),
  onValues(
    'html-escaped',
    4,
    'The values were escaped for HTML before they were signed.',
    asSent,
    html({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
  ),
  onValues(
    'html-escaped',
    4,
    'The values were escaped for HTML before they were signed.',
    asSent,
    html({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }),
  ),
  onValues(
    'html-escaped',
    4,
    'The values were escaped for HTML before they were signed.',
    asSent,
    html({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }),
  ),
  onValues('values-quoted', 3, 'The values were signed in double quotes.', asSent, (value) => `"${value}"`),
  onValues(
    'values-quoted',
    4,
    'The values were signed in double quotes, empty ones without.',
    asSent,
    (value) => (value === '' ? '' : `"${value}"`),
  ),
  onValues('values-quoted', 3, 'The values were signed in single quotes.', asSent, (value) => `'${value}'`),
  onValues(
    'values-quoted',
    3,
    'The values were signed as JSON strings, with their quotation marks.',
    asSent,
    (value) => JSON.stringify(value),
  ),
  onValues('url-encoded', 3, 'The values were signed with & and = written as %26 and %3D.', asSent, (value) =>
    value.replaceAll('&', '%26').replaceAll('=', '%3D'),
  ),
  onValues('body-encoded', 4, 'The values were signed in base64.', asSent, (value) =>
    Buffer.from(value).toString('base64'),
  ),
  onValues('text-case', 4, 'The values were signed in lower case.', asSent, (value) => value.toLowerCase()),
  onValues('text-case', 4, 'The values were signed in upper case.', asSent, (value) => value.toUpperCase()),
  ...signedInvoiceFields.map((only) =>
    onValues(
      'value-omitted',
      4,
      `${only} was signed with an empty value; it was sent with another.`,
      asSent,
      (value, name) => (name === only ? '' : value),
    ),
  ),
];

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const shift = 7 * 60 * 60 * 1000;

function dates(moment: number): [what: string, text: string][] {
  const utc = new Date(moment);
  const iso = utc.toISOString();
  const local = new Date(moment + shift).toISOString();
  const seconds = (text: string) => text.slice(0, 19);
  const day = `${two(utc.getUTCDate())}/${two(utc.getUTCMonth() + 1)}/${utc.getUTCFullYear()}`;
  return [
    ['with milliseconds', iso],
    ['with +00:00 for Z', `${seconds(iso)}+00:00`],
    ['with +0000 for Z', `${seconds(iso)}+0000`],
    ['without Z', seconds(iso)],
    ['with a space for T', seconds(iso).replace('T', ' ')],
    ['with a space for T, and Z', `${seconds(iso).replace('T', ' ')}Z`],
    ['with a space for T, and +00:00', `${seconds(iso).replace('T', ' ')}+00:00`],
    ['with microseconds', `${seconds(iso)}.000000Z`],
    ['in Vietnamese time with +07:00', `${seconds(local)}+07:00`],
    ['in Vietnamese time with +0700', `${seconds(local)}+0700`],
    ['in Vietnamese time', seconds(local)],
    ['in Vietnamese time with a space for T', seconds(local).replace('T', ' ')],
    ['in Vietnamese time with Z', `${seconds(local)}Z`],
    ['as a day', iso.slice(0, 10)],
    ['as a day in Vietnamese time', local.slice(0, 10)],
    ['as DD/MM/YYYY', day],
    ['as DD-MM-YYYY', day.replaceAll('/', '-')],
    ['in seconds since 1970', String(moment / 1000)],
    ['in milliseconds since 1970', String(moment)],
    ['without separators', iso.slice(0, 19).replaceAll(/\D/g, '')],
    ['as an HTTP date', utc.toUTCString()],
    ['as Java prints an Instant or LocalDateTime without seconds', iso.slice(0, 16)],
    ['without seconds', `${iso.slice(0, 16)}Z`],
  ];
}

/** The invoice's date in another form. */
export function dateStage(invoiceDate: string | undefined): Stage<Draft> {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate ?? '') ? Date.parse(invoiceDate ?? '') : NaN;
  if (Number.isNaN(moment)) return [];
  const fix =
    'Format the date once, as yyyy-MM-ddTHH:mm:ssZ in UTC, and use that text for both the signature and the form.';
  return dates(moment).map(([what, text], index) => ({
    ...onValues(
      'date-format',
      index < 2 ? 2 : index < 14 ? 3 : 4,
      `invoiceDate was signed ${what} (${text}); it was sent as ${(invoiceDate ?? '').slice(0, 40)}.`,
      fix,
      (value, name) => (name === 'invoiceDate' ? text : value),
    ),
    isHabit: index < 14,
  }));
}

/** extraData, a string of JSON, written in another way than it was sent. */
export function extraDataStage(extraData: string | undefined): Stage<Draft> {
  const value = parsed(extraData);
  if (value === undefined) return [];
  const escaped = (json: string) =>
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const spaced = JSON.stringify(value, null, 1)
    .replaceAll(/([[{])\n\s*|\n\s*(?=[\]}])/g, '$1')
    .replaceAll(/,\n\s*/g, ', ');
  const forms: readonly (readonly [what: string, rarity: Rarity, text: string])[] = [
    ['without white space', 2, JSON.stringify(value)],
    ['with a space after each comma and colon', 3, spaced],
    ['indented by 2 spaces', 4, JSON.stringify(value, null, 2)],
    ['with escaped slashes', 3, JSON.stringify(value).replaceAll('/', '\\/')],
    ['with escaped characters outside ASCII', 3, escaped(JSON.stringify(value))],
    [
      'with escaped slashes and characters outside ASCII',
      3,
      escaped(JSON.stringify(value).replaceAll('/', '\\/')),
    ],
    ['with a space after each comma and colon and with escaped characters outside ASCII', 3, escaped(spaced)],
    ['as a string of JSON, in quotation marks', 4, JSON.stringify(extraData)],
    ['as [object Object]', 3, '[object Object]'],
    ['as Array', 3, 'Array'],
  ];
  const fix = 'Serialise extraData once, and use that text for both the signature and the form.';
  return forms.map(([what, rarity, text]) => ({
    ...onValues(
      'body-reserialised',
      rarity,
      `extraData was signed ${what}; it was sent otherwise.`,
      fix,
      (before, name) => (name === 'extraData' ? text : before),
    ),
    isHabit: true,
  }));
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
