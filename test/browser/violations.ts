import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The findings of axe on the current state of a page, with a line for each broken rule. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(`if (!globalThis.axe) { ${axe} }`);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    'axe.run({ resultTypes: ["violations"] })',
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => html + failureSummary).join('\n')}`,
  );
}
