import { describe, test } from 'vitest';
import { plantedMerchants, wrongMerchants } from '../../workbench/rehearsal/merchants/merchants.js';
import { expectMistake, expectNoErrors } from '../../workbench/rehearsal/rehearse-merchant.js';

describe.concurrent('a rehearsal of each backend', () => {
  test.each(plantedMerchants.filter(({ rule }) => rule === undefined))(
    'finds no error in $file in any scenario',
    { timeout: 600_000 },
    expectNoErrors,
  );
  test.each(wrongMerchants)('finds $rule in $file', { timeout: 240_000 }, expectMistake);
});
