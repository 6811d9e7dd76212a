import type { InlineConfig } from 'vitest/node';
import { StrictReporter } from './strict-reporter.js';

/**
 * The settings of every run of tests. It fails with `.only`, with a test that is skipped or still to be written, and with one
 * that asserts nothing. CI sums up the reports by their names.
 */
export function strictRun(report: string): Pick<InlineConfig, 'allowOnly' | 'expect' | 'reporters'> {
  return {
    allowOnly: false,
    expect: { requireAssertions: true },
    reporters: ['default', new StrictReporter(report)],
  };
}
