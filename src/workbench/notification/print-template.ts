import { isRecord, tryParseJson } from '../../values/untrusted-values.js';
import { ownParts, digestShape, type Scheme } from './find-scheme.js';

const guesses = [
  [/amount|total/i, '{amount.value}'],
  [/currency/i, '{amount.currency}'],
  [/status|state/i, '{status}'],
  [/desc/i, '{description}'],
  [/merchant/i, '{merchantId}'],
  [/order|reference/i, '{referenceId}'],
] as const;

/**
 * A template of a captured body, with placeholders for the values that the mock can fill in. It contains no value of
 * the customer.
 */
function bodyTemplate(value: unknown, member: string | undefined, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => bodyTemplate(each, undefined, name));
  if (isRecord(value)) {
    const members = Object.entries(value).map(([each, inner]) => [
      each,
      each === member ? '{signature}' : bodyTemplate(inner, undefined, each),
    ]);
    return Object.fromEntries(members) as object;
  }
  const inner = typeof value === 'string' ? tryParseJson(value) : undefined;
  if (isRecord(inner)) return JSON.stringify(bodyTemplate(inner, undefined));
  const guess = guesses.find(([shape]) => shape.test(name))?.[1];
  if (guess !== undefined) return guess;
  if (typeof value === 'string') return '';
  return typeof value === 'number' ? 0 : value;
}

const otherSignatures = new RegExp(`(?:\\w+[=,])?${digestShape.source}[\\s,;]+`, 'g');

/** The `webhook.template` with which the mock signs in the same way. */
export function templateOf(
  { place, encoding, signed, parts }: Scheme,
  body: unknown,
): Record<string, unknown> {
  const member = 'member' in place ? place.member : undefined;
  const others = parts.flatMap(({ header, placeholder }) =>
    header === undefined ? [] : [[header, placeholder]],
  );
  // Signatures with other keys are left out.
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
