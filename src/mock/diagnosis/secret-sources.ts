import type { Rarity, Stage } from './draft.js';
import { secretIngredient, type Secret } from './secret.js';
import type { RefusedRequest } from './types.js';

const placeholders = [
  'undefined',
  'null',
  'None',
  'nil',
  'false',
  'NaN',
  '[object Object]',
  'secret',
  'secretKey',
  'secret_key',
  'your-secret-key',
  'YOUR_SECRET_KEY',
  'INSTALLMENT_SECRET_KEY',
  '$INSTALLMENT_SECRET_KEY',
  '${INSTALLMENT_SECRET_KEY}',
  'SECRET_KEY',
  '<SECRET_KEY>',
  'demo-secret',
  '{{secret}}',
  '{{secretKey}}',
  '{{secret_key}}',
  '{{SECRET_KEY}}',
  '%INSTALLMENT_SECRET_KEY%',
  'process.env.INSTALLMENT_SECRET_KEY',
  'secret-key',
  'changeme',
  'test',
  'key',
  'sha256',
];

const usualPlaceholders: ReadonlySet<string> = new Set(['undefined', 'null', 'None']);

const variables = ['SECRET_KEY', 'SECRET', 'CLIENT_SECRET', 'API_SECRET', 'MERCHANT_SECRET', 'HMAC_SECRET'];
/** How a variable is written that nothing has replaced by its value. */
const references = variables.flatMap((name) => [
  `$${name}`,
  `\${${name}}`,
  `%${name}%`,
  `{{${name}}}`,
  `process.env.${name}`,
]);

const separators = [':', '', '&', '.', '-', '|', '_'];

/** Another key than the secret key, or one that is made of it. */
export function secretSourceStage(
  { merchant, others, request }: RefusedRequest,
  referenceId: string | undefined,
): Stage<Secret> {
  const instead = (rarity: Rarity, name: string, value: string | undefined) =>
    secretIngredient(
      'secret-replaced',
      rarity,
      `${name} was used as the key instead of the secret key.`,
      'Use the secret key as the key. The order of arguments: PHP hash_hmac(algo, text, key), Python hmac.new(key, text), Node.js createHmac(algo, key), Go hmac.New(hash, key).',
      () => value,
    );
  const combined = (
    rarity: Rarity,
    what: string,
    parts: readonly (string | undefined)[],
    separator = '',
  ): Stage<Secret> =>
    parts.includes(undefined)
      ? []
      : [
          secretIngredient(
            'secret-combined',
            rarity,
            `The key was made of ${what}${separator === '' ? '' : `, joined by ${JSON.stringify(separator)}`}.`,
            'Use the secret key alone as the key.',
            () => parts.join(separator),
          ),
        ];
  const { clientId, merchantId, secretKey } = merchant;
  const time = request?.requestTime;
  return [
    secretIngredient(
      'secret-empty',
      2,
      'The key was empty.',
      'Check that the secret key is read: a missing environment variable or configuration value gives an empty key.',
      () => '',
    ),
    ...Array.from(others, (other) =>
      secretIngredient(
        'secret-of-another-merchant',
        2,
        `The secret key is that of the client ${other.clientId ?? 'of another merchant'}.`,
        `Use the secret key that belongs to the Client-Id that is sent${clientId === undefined ? '' : ` (${clientId})`}.`,
        () => other.secretKey,
      ),
    ),
    instead(2, 'The Client-Id', clientId),
    instead(2, 'The merchantId', merchantId),
    instead(4, 'The referenceId', referenceId),
    instead(3, 'The Request-Time', time),
    instead(4, 'The Idempotency-Key', request?.idempotencyKey),
    ...placeholders.map((text) =>
      secretIngredient(
        'secret-placeholder',
        usualPlaceholders.has(text) ? 2 : 3,
        `The text ${text} was used as the key instead of the secret key.`,
        'Check that the secret key is read from the configuration, under the right name.',
        () => text,
      ),
    ),
    ...references.map((text) =>
      secretIngredient(
        'secret-placeholder',
        4,
        `The text ${text} was used as the key instead of the secret key.`,
        'Have the variable replaced by its value. Shell: double quotes, not single quotes. PHP: double quotes, or getenv. Docker, CI: check where the variable is set.',
        () => text,
      ),
    ),
    ...separators.flatMap((separator) => [
      ...combined(3, 'the Client-Id and the secret key', [clientId, secretKey], separator),
      ...combined(4, 'the secret key and the Client-Id', [secretKey, clientId], separator),
      ...combined(4, 'the merchantId and the secret key', [merchantId, secretKey], separator),
      ...combined(4, 'the secret key and the merchantId', [secretKey, merchantId], separator),
    ]),
    ...combined(4, 'the secret key and the Request-Time', [secretKey, time]),
    ...combined(4, 'the Request-Time and the secret key', [time, secretKey]),
    ...combined(4, 'the secret key twice', [secretKey, secretKey]),
  ];
}
