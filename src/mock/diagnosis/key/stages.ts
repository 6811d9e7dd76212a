import {
  about,
  listed,
  mistakes,
  onKey,
  type Key,
  type Rarity,
  type Row,
  type Stage,
} from '../ingredient.js';
import type { RefusedRequest } from '../types.js';
import { formStage, paddingStage } from './forms.js';

/** Names of variables that nothing has replaced by a value. */
const variables = ['SECRET_KEY', 'SECRET', 'CLIENT_SECRET', 'API_SECRET', 'MERCHANT_SECRET', 'HMAC_SECRET'];
const another = (value: string | undefined) => onKey(() => value);
const insteadOfKey = 'The text % was used as the key instead of the secret key.';

/** A key that is not the secret key, or is made of it. */
function sourceStage(
  { merchant, others, request }: RefusedRequest,
  referenceId: string | undefined,
): Stage<Key> {
  const { clientId, merchantId, secretKey } = merchant;
  const time = request?.requestTime;
  const otherKeys = Array.from(others, (other): Row<string> => {
    return [2, other.clientId ?? 'of another merchant', other.secretKey];
  });
  /** Two parts in both orders, one after the other. */
  const combined = (rarity: Rarity, name: string, value: string | undefined, mark = ''): Row<string>[] => {
    const joined = mark === '' ? '' : `, joined by ${JSON.stringify(mark)}`;
    if (value === undefined) return [];
    return [
      [rarity, `${name} and the secret key${joined}`, value + mark + secretKey],
      [4, `the secret key and ${name}${joined}`, secretKey + mark + value],
    ];
  };
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
      ...listed(2, 'undefined | null | None'),
      ...listed(3, 'nil | false | NaN | [object Object] | secret | secretKey | secret_key | your-secret-key'),
      ...listed(3, 'YOUR_SECRET_KEY | INSTALLMENT_SECRET_KEY | $INSTALLMENT_SECRET_KEY'),
      ...listed(3, '${INSTALLMENT_SECRET_KEY} | SECRET_KEY | <SECRET_KEY> | demo-secret | {{secret}}'),
      ...listed(3, '{{secretKey}} | {{secret_key}} | {{SECRET_KEY}} | %INSTALLMENT_SECRET_KEY%'),
      ...listed(3, 'process.env.INSTALLMENT_SECRET_KEY | secret-key | changeme | test | key | sha256'),
      ...variables.flatMap((name) =>
        listed(
          4,
          `$${name} | \${${name}} | %${name}% | {{${name}}} | process.env.${name}`,
          'secret-placeholder.variable',
        ),
      ),
    ]),
    ...mistakes('secret-combined', 'The key was made of %.', another, [
      ...[':', '', '&', '.', '-', '|', '_'].flatMap((mark) => [
        ...combined(3, 'the Client-Id', clientId, mark),
        ...combined(4, 'the merchantId', merchantId, mark),
      ]),
      ...combined(4, 'the Request-Time', time),
      [4, 'the secret key twice', secretKey + secretKey],
    ]),
  ];
}

/** Which key was taken, in which form, and with which text around it. */
export function keyStagesOf(refused: RefusedRequest, referenceId: string | undefined): Stage<Key>[] {
  return [sourceStage(refused, referenceId), formStage, paddingStage];
}
