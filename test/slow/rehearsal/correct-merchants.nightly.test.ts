import { describe, test } from 'vitest';
import { plantedMerchants } from '../../workbench/rehearsal/merchants/merchants.js';
import { expectNoErrors } from '../../workbench/rehearsal/rehearse-merchant.js';

describe.concurrent('A rehearsal of a backend without a mistake, in each language', () => {
  test.each(plantedMerchants.filter(({ rule }) => rule === undefined))(
    'finds no error in $file in any scenario',
    { timeout: 600_000 },
    expectNoErrors,
  );
});
