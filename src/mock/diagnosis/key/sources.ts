import { about, mistakes, onKey, type Key, type Row, type Stage } from '../ingredient.js';
import type { RefusedRequest } from '../types.js';

/** Texts that stand where nothing was configured, the usual ones first. */
const usual = ['undefined', 'null', 'None'];
const placeholders =
  'nil | false | NaN | [object Object] | secret | secretKey | secret_key | your-secret-key | YOUR_SECRET_KEY | INSTALLMENT_SECRET_KEY | $INSTALLMENT_SECRET_KEY | ${INSTALLMENT_SECRET_KEY} | SECRET_KEY | <SECRET_KEY> | demo-secret | {{secret}} | {{secretKey}} | {{secret_key}} | {{SECRET_KEY}} | %INSTALLMENT_SECRET_KEY% | process.env.INSTALLMENT_SECRET_KEY | secret-key | changeme | test | key | sha256';

const variables = ['SECRET_KEY', 'SECRET', 'CLIENT_SECRET', 'API_SECRET', 'MERCHANT_SECRET', 'HMAC_SECRET'];
/** How a variable is written that nothing has replaced by its value. */
const referencesTo = (name: string) => [
  `$${name}`,
  `\${${name}}`,
  `%${name}%`,
  `{{${name}}}`,
  `process.env.${name}`,
];

const another = (value: string | undefined) => onKey(() => value);
const insteadOfKey = 'The text % was used as the key instead of the secret key.';

/** Two parts in both orders, one after the other. */
function combined(
  name: string,
  value: string | undefined,
  secretKey: string,
  mark = '',
): Row<string | undefined>[] {
  const joined = mark === '' ? '' : `, joined by ${JSON.stringify(mark)}`;
  const isUsual = name === 'the Client-Id';
  if (value === undefined) return [];
  return [
    [isUsual ? 3 : 4, `${name} and the secret key${joined}`, value + mark + secretKey],
    [4, `the secret key and ${name}${joined}`, secretKey + mark + value],
  ];
}

/** Another key than the secret key, or one that is made of it. */
export function keySourceStage(
  { merchant, others, request }: RefusedRequest,
  referenceId: string | undefined,
): Stage<Key> {
  const { clientId, merchantId, secretKey } = merchant;
  const time = request?.requestTime;
  const otherKeys = Array.from(others, (other): Row<string> => {
    return [2, other.clientId ?? 'of another merchant', other.secretKey];
  });
  return [
    ...mistakes('secret-empty', 'The key was empty.', another, [[2, '', '']]),
    ...about(
      clientId === undefined ? '' : ` (${clientId})`,
      mistakes('secret-of-another-merchant', 'The secret key is that of the client %.', another, otherKeys),
    ),
    ...mistakes('secret-replaced', '% was used as the key instead of the secret key.', another, [
      [2, 'The Client-Id', clientId],
      [2, 'The merchantId', merchantId],
      [4, 'The referenceId', referenceId],
      [3, 'The Request-Time', time],
      [4, 'The Idempotency-Key', request?.idempotencyKey],
    ]),
    ...mistakes('secret-placeholder', insteadOfKey, another, [
      ...usual.map((text) => [2, text, text] as const),
      ...placeholders.split(' | ').map((text) => [3, text, text] as const),
      ...variables
        .flatMap(referencesTo)
        .map((text) => [4, text, text, 'secret-placeholder.variable'] as const),
    ]),
    ...mistakes('secret-combined', 'The key was made of %.', another, [
      ...[':', '', '&', '.', '-', '|', '_'].flatMap((mark) => [
        ...combined('the Client-Id', clientId, secretKey, mark),
        ...combined('the merchantId', merchantId, secretKey, mark),
      ]),
      ...combined('the Request-Time', time, secretKey),
      [4, 'the secret key twice', secretKey + secretKey],
    ]),
  ];
}
