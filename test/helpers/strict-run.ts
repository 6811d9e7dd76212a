import type { InlineConfig } from 'vitest/node';
import { NoSkips } from './no-skips.js';

/**
 * What every run of tests has: it fails with `.only`, with a test that is skipped or still to be written, and with one
 * that asserts nothing. CI sums up the reports by their names.
 */
export function strictRun(report: string): Pick<InlineConfig, 'allowOnly' | 'expect' | 'reporters'> {
  return {
    allowOnly: false,
    expect: { requireAssertions: true },
    reporters: ['default', new NoSkips(), ['json', { outputFile: `coverage/reports/${report}.json` }]],
  };
}
