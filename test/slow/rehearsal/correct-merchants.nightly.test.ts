import { describe, expect, test } from 'vitest';
import { plantedMerchants } from '../../workbench/rehearsal/merchants/merchants.js';
import { rehearseMerchant } from '../../workbench/rehearsal/rehearse-merchant.js';

describe.concurrent('A rehearsal of a backend without a mistake, in each language', () => {
  test.each(plantedMerchants.filter(({ rule }) => rule === undefined))(
    'finds no error in $file in any scenario',
    { timeout: 600_000 },
    async (merchant) => {
      const { code, report } = await rehearseMerchant(merchant, ['--settle-ms', '800']);
      expect(report.findings.filter(({ level }) => level === 'error')).toEqual([]);
      expect(report.scenarios.length).toBeGreaterThanOrEqual(20);
      expect(code).toBe(0);
    },
  );
});
