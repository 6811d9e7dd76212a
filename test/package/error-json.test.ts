import { expect, inject, test } from 'vitest';
import { evaluate } from './support.js';

const { consumer } = inject('packed');

const check = `
  const error = sampleError('DUPLICATE_REFERENCE_ID', { mayHaveActedBefore: true });
  const back = InstallmentError.fromJSON(JSON.parse(JSON.stringify(error)));
  console.log(JSON.stringify([back instanceof DuplicateReferenceIdError, back.constructor === DuplicateReferenceIdError, back.name, back.outcome, back.probablyAccepted]));
`;

test.each([
  [
    'module',
    `import { DuplicateReferenceIdError, InstallmentError } from 'installment-payments';
     import { sampleError } from 'installment-payments/mock';`,
  ],
  [
    'commonjs',
    `const { DuplicateReferenceIdError, InstallmentError } = require('installment-payments');
     const { sampleError } = require('installment-payments/mock');`,
  ],
] as const)('an error comes back from its JSON with its class in a %s', async (type, imports) => {
  expect(await evaluate(imports + check, type, consumer)).toEqual([
    true,
    true,
    'DuplicateReferenceIdError',
    'unknown',
    true,
  ]);
});
